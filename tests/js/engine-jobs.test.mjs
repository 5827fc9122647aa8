// The engine's jobs without an engine: when a worker is taken for dead.
import assert from 'node:assert/strict';
import test from 'node:test';

import { createQueue } from '../../static/app/engine-jobs.js';

/** A queue with a worker that is at whatever the test says. */
function queueWithWorker() {
  const told = { stuck: 0 };
  const queue = createQueue({ onStuck: () => { told.stuck += 1; }, onAnswer() {} });
  /** @type {any} */
  const worker = Object.assign(new EventTarget(), { postMessage() {} });
  const say = (data) => worker.dispatchEvent(new MessageEvent('message', { data }));
  queue.attach(worker);
  return { queue, told, say };
}
const progress = (id) => ({ engine: 'progress', id, stage: 'find', share: 0.1 });

test('a check that is replaced while a picture is read does not end the reading', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { queue, told, say } = queueWithWorker();
  const read = queue.add('read', [], {}, { keep: true });
  const first = queue.add('check', ['8/8'], {}, {});
  const second = queue.add('check', ['8/8/8'], {}, {});
  await assert.rejects(first, { code: 'replaced' });
  for (let n = 0; n < 10; n += 1) {
    t.mock.timers.tick(30_000); // a long page on a slow machine, which says now and then how far it is
    say(progress(read.id));
  }
  assert.equal(told.stuck, 0);
  say({ engine: 'result', id: read.id, json: '{"boards": []}' });
  assert.deepEqual(await read, { boards: [] });
  say({ engine: 'error', id: first.id, code: 'cancelled', params: '{}' });
  say({ engine: 'result', id: second.id, json: '{"fen": null}' });
  assert.deepEqual(await second, { fen: null });
});

test('a reading that is no longer wanted and does not stop is taken for dead, and so is silence', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const stopping = queueWithWorker();
  const read = stopping.queue.add('read', [], {}, { keep: true });
  stopping.queue.add('check', ['8/8'], {}, {});
  stopping.queue.cancel(read.id);
  await assert.rejects(read, { code: 'cancelled' });
  t.mock.timers.tick(5_000);
  assert.equal(stopping.told.stuck, 1);
  const silent = queueWithWorker();
  silent.queue.add('read', [], {}, {});
  t.mock.timers.tick(89_000);
  assert.equal(silent.told.stuck, 0);
  t.mock.timers.tick(2_000);
  assert.equal(silent.told.stuck, 1);
});
