// @ts-check
/**
 * What guard.js says where the page does not start. A classic script, which every browser takes from any place, a
 * folder too; a copy of the keys `ui.not-started.…` of static/i18n, which a test keeps equal.
 */
/** @type {any} */ (window).notStartedWords = {
  en: {
    file: 'Opened from a folder, this page cannot run: browsers take its parts only from a web server. Either open the single file image-to-fen.html, which needs none, or run “python3 build.py serve” in the project’s folder and open the address that it prints. The guide can be read here all the same.',
    origin: 'The page cannot load here: this frame is sandboxed without an origin, and the server does not send “Access-Control-Allow-Origin: *”. Either add allow-same-origin to the frame’s sandbox, or let the server send that header.',
    files: 'A part of the page could not be loaded. Check the connection and load the page again. The guide can be read all the same.',
    old: 'This browser is too old for the page. Use a current Firefox, Chrome, Edge or Safari. The guide can be read all the same.',
  },
  el: {
    file: 'Ανοιγμένη από φάκελο η σελίδα δεν λειτουργεί: οι φυλλομετρητές δέχονται τα μέρη της μόνο από διακομιστή ιστού. Ανοίξτε το ενιαίο αρχείο image-to-fen.html, που δεν χρειάζεται διακομιστή, ή τρέξτε «python3 build.py serve» στον φάκελο του έργου και ανοίξτε τη διεύθυνση που τυπώνει. Ο οδηγός διαβάζεται και εδώ.',
    origin: 'Η σελίδα δεν μπορεί να φορτωθεί εδώ: το πλαίσιο είναι απομονωμένο χωρίς προέλευση και ο διακομιστής δεν στέλνει «Access-Control-Allow-Origin: *». Προσθέστε allow-same-origin στο sandbox του πλαισίου ή ρυθμίστε τον διακομιστή να στέλνει αυτή την κεφαλίδα.',
    files: 'Ένα μέρος της σελίδας δεν φορτώθηκε. Ελέγξτε τη σύνδεση και φορτώστε ξανά τη σελίδα. Ο οδηγός διαβάζεται κανονικά.',
    old: 'Ο φυλλομετρητής είναι πολύ παλιός για τη σελίδα. Χρησιμοποιήστε σύγχρονο Firefox, Chrome, Edge ή Safari. Ο οδηγός διαβάζεται κανονικά.',
  },
  vi: {
    file: 'Mở từ thư mục thì trang này không chạy được: trình duyệt chỉ nhận các phần của trang từ máy chủ web. Hãy mở tệp đơn image-to-fen.html, không cần máy chủ, hoặc chạy “python3 build.py serve” trong thư mục dự án rồi mở địa chỉ được in ra. Hướng dẫn vẫn đọc được ở đây.',
    origin: 'Trang không tải được ở đây: khung này bị cô lập, không có nguồn gốc, và máy chủ không gửi “Access-Control-Allow-Origin: *”. Hãy thêm allow-same-origin vào thuộc tính sandbox của khung, hoặc để máy chủ gửi tiêu đề đó.',
    files: 'Không tải được một phần của trang. Hãy kiểm tra kết nối rồi tải lại trang. Hướng dẫn vẫn đọc được.',
    old: 'Trình duyệt này quá cũ đối với trang. Hãy dùng Firefox, Chrome, Edge hoặc Safari bản mới. Hướng dẫn vẫn đọc được.',
  },
  gu: {
    file: 'ફોલ્ડરમાંથી ખોલેલું આ પાનું ચાલી શકતું નથી: બ્રાઉઝર તેના ભાગ ફક્ત વેબ સર્વર પાસેથી લે છે. એક જ ફાઇલ image-to-fen.html ખોલો, જેને સર્વર જોઈતું નથી; અથવા પ્રોજેક્ટના ફોલ્ડરમાં “python3 build.py serve” ચલાવો અને તે છાપે તે સરનામું ખોલો. માર્ગદર્શિકા અહીં પણ વંચાય છે.',
    origin: 'પાનું અહીં લોડ થઈ શકતું નથી: આ ફ્રેમ sandbox માં મૂળ (origin) વગર છે, અને સર્વર “Access-Control-Allow-Origin: *” મોકલતું નથી. ફ્રેમના sandbox માં allow-same-origin ઉમેરો, અથવા સર્વર પાસે આ હેડર મોકલાવો.',
    files: 'પાનાનો એક ભાગ લોડ થઈ શક્યો નથી. જોડાણ તપાસો અને પાનું ફરી લોડ કરો. માર્ગદર્શિકા છતાં વંચાય છે.',
    old: 'આ બ્રાઉઝર પાના માટે બહુ જૂનું છે. નવું Firefox, Chrome, Edge કે Safari વાપરો. માર્ગદર્શિકા છતાં વંચાય છે.',
  },
  'pt-BR': {
    file: 'Aberta a partir de uma pasta, esta página não funciona: os navegadores só aceitam as partes dela de um servidor web. Abra o arquivo único image-to-fen.html, que não precisa de servidor, ou execute “python3 build.py serve” na pasta do projeto e abra o endereço mostrado. O guia pode ser lido aqui mesmo.',
    origin: 'A página não pode ser carregada aqui: este quadro está isolado, sem origem, e o servidor não envia “Access-Control-Allow-Origin: *”. Acrescente allow-same-origin ao sandbox do quadro ou faça o servidor enviar esse cabeçalho.',
    files: 'Não foi possível carregar uma parte da página. Verifique a conexão e recarregue a página. O guia pode ser lido mesmo assim.',
    old: 'Este navegador é antigo demais para a página. Use um Firefox, Chrome, Edge ou Safari atual. O guia pode ser lido mesmo assim.',
  },
  bn: {
    file: 'ফোল্ডার থেকে খুললে এই পাতা চলে না: ব্রাউজার এর অংশগুলো শুধু ওয়েব সার্ভার থেকে নেয়। একক ফাইল image-to-fen.html খুলুন, তাতে সার্ভার লাগে না; অথবা প্রকল্পের ফোল্ডারে “python3 build.py serve” চালিয়ে যে ঠিকানা দেখায় তা খুলুন। নির্দেশিকা এখানেও পড়া যায়।',
    origin: 'পাতাটি এখানে লোড হতে পারছে না: এই ফ্রেমটি sandbox-এ উৎস (origin) ছাড়া আছে, আর সার্ভার “Access-Control-Allow-Origin: *” পাঠায় না। ফ্রেমের sandbox-এ allow-same-origin যোগ করুন, অথবা সার্ভারকে ওই হেডার পাঠাতে বলুন।',
    files: 'পাতার একটি অংশ লোড করা যায়নি। সংযোগ দেখে পাতাটি আবার লোড করুন। নির্দেশিকা তবু পড়া যায়।',
    old: 'এই ব্রাউজার পাতাটির জন্য বেশি পুরোনো। হালের Firefox, Chrome, Edge বা Safari ব্যবহার করুন। নির্দেশিকা তবু পড়া যায়।',
  },
};
