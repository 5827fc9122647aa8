// @ts-check
/**
 * The frame's end of the protocol: hears the page that holds the frame, and nobody else; speaks to the origin that
 * spoke, and to no other.
 *
 * Where it stands: between protocol.js and the frame's page (main.js beside this, or static/app/host.js).
 * What always holds: until the host has spoken, it is told no more than that the frame is there.
 */
import { REQUESTS, pack, targetOf, unpack } from './protocol.js';

/** @typedef {import('./protocol.js').Message} Message */

/**
 * @param {object} ends
 * @param {Window} ends.frame  this window
 * @param {typeof REQUESTS} [ends.requests]  what this frame hears
 * @param {(message: Message) => void} ends.onRequest  a request whose fields are of their kinds
 * @param {(origin: string) => void} ends.onHost  the host has spoken for the first time, from there
 */
export function linkToHost({ frame, requests = REQUESTS, onRequest, onHost }) {
  const host = frame.parent === frame ? null : frame.parent;
  /** @type {string | null} */
  let target = null;

  /**
   * Say something to the host, if it has spoken.
   * @param {string} type
   * @param {Record<string, any>} [fields]
   * @param {import('./protocol.js').Id} [id]
   */
  function say(type, fields, id) {
    if (host && target !== null) host.postMessage(pack(type, fields, id), target);
  }

  frame.addEventListener('message', (event) => {
    if (!host || event.source !== host) return;
    const message = unpack(event.data, requests);
    if (!message) return;
    const first = target === null;
    target = targetOf(event.origin);
    if (first) onHost(event.origin);
    if (message.fault) say('error', { code: 'bad-request', params: { type: message.type, field: message.fault } }, message.id);
    else onRequest(message);
  });
  // Nothing in this says anything of the person or of the page, so that anybody may hear it.
  host?.postMessage(pack('ready'), '*');

  return { say, framed: host !== null, heard: () => target !== null };
}
