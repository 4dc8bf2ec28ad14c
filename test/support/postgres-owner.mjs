// A process that owns an embedded PostgreSQL, for tests which kill it. Its argument is JSON: the options of EmbeddedPostgres.start, and
// `uid` to become that user first. It says what happens in lines of JSON, and stops when its standard input ends.
import { EmbeddedPostgres } from '../../dist/src/platform/embedded-postgres/index.js';

const { uid, ...options } = JSON.parse(process.argv[2]);
const say = (event, detail = {}) => console.log(JSON.stringify({ event, ...detail }));

if (uid !== undefined) {
  process.setgroups([]);
  process.setgid(uid);
  process.setuid(uid);
}
try {
  const server = await EmbeddedPostgres.start({ ...options, onDown: () => say('down'), onUp: () => say('up') });
  say('started', { connection: server.connection });
  process.stdin.resume().on('end', async () => {
    await server.stop();
    say('stopped');
  });
} catch (error) {
  say('refused', { name: error.name, message: error.message });
}
