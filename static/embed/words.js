// @ts-check
/**
 * The few words that the element itself must say, where the frame cannot: in the host's page no file of words may be
 * fetched. A copy of keys of static/i18n, which a test keeps equal.
 *
 * @typedef {{title: string, blocked: string, silent: string}} ElementWords
 */

/** @type {Readonly<Record<string, ElementWords>>} */
export const WORDS = Object.freeze({
  en: {
    title: 'FEN checker',
    blocked: 'The FEN checker is kept out by this page’s content security policy. To let it in, the policy must allow: {directive} {origin}',
    silent: 'The FEN checker at {address} does not answer. Perhaps it cannot be reached, or this page’s headers keep frames out (Content-Security-Policy: frame-src; Cross-Origin-Embedder-Policy).',
  },
  el: {
    title: 'Έλεγχος FEN',
    blocked: 'Η πολιτική ασφαλείας περιεχομένου αυτής της σελίδας δεν αφήνει τον έλεγχο FEN να εμφανιστεί. Η πολιτική πρέπει να επιτρέπει: {directive} {origin}',
    silent: 'Ο έλεγχος FEN στη διεύθυνση {address} δεν απαντά. Ίσως δεν είναι προσβάσιμος ή οι κεφαλίδες αυτής της σελίδας αποκλείουν πλαίσια (Content-Security-Policy: frame-src· Cross-Origin-Embedder-Policy).',
  },
  vi: {
    title: 'Kiểm tra FEN',
    blocked: 'Chính sách bảo mật nội dung của trang này không cho bộ kiểm tra FEN hiển thị. Chính sách cần cho phép: {directive} {origin}',
    silent: 'Bộ kiểm tra FEN tại {address} không trả lời. Có thể không kết nối được, hoặc các tiêu đề của trang này chặn khung (Content-Security-Policy: frame-src; Cross-Origin-Embedder-Policy).',
  },
  gu: {
    title: 'FEN ચકાસણી',
    blocked: 'આ પાનાની સામગ્રી સુરક્ષા નીતિ (CSP) FEN ચકાસણીને આવવા દેતી નથી. નીતિએ આની છૂટ આપવી પડશે: {directive} {origin}',
    silent: '{address} પરની FEN ચકાસણી જવાબ આપતી નથી. કદાચ ત્યાં પહોંચી શકાતું નથી, અથવા આ પાનાના હેડર ફ્રેમને રોકે છે (Content-Security-Policy: frame-src; Cross-Origin-Embedder-Policy).',
  },
  'pt-BR': {
    title: 'Verificador de FEN',
    blocked: 'A política de segurança de conteúdo desta página impede o verificador de FEN. Para aceitá-lo, ela precisa permitir: {directive} {origin}',
    silent: 'O verificador de FEN em {address} não responde. Talvez não possa ser alcançado, ou os cabeçalhos desta página barrem quadros (Content-Security-Policy: frame-src; Cross-Origin-Embedder-Policy).',
  },
  bn: {
    title: 'FEN যাচাই',
    blocked: 'এই পাতার কনটেন্ট সিকিউরিটি পলিসি FEN যাচাইকারীকে আটকে দিচ্ছে। পলিসিতে এটির অনুমতি থাকতে হবে: {directive} {origin}',
    silent: '{address}-এর FEN যাচাইকারী সাড়া দিচ্ছে না। হয়তো সেখানে পৌঁছানো যাচ্ছে না, অথবা এই পাতার হেডার ফ্রেম আটকে দেয় (Content-Security-Policy: frame-src; Cross-Origin-Embedder-Policy)।',
  },
});
