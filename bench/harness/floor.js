// The floor of everything that moves money: a bare function with two updates and two inserts, or a single insert, on the same database,
// over 16 connections by default. Run by pgbench if it is installed, otherwise by a loop around pg.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countCpu, runLoad } from './load.js';
import { connect, PEOPLE } from './fixture.js';

const CONNECTIONS = 16;

const SCHEMA = `
  CREATE SCHEMA bench;
  CREATE TABLE bench.account (id bigint PRIMARY KEY, posted bigint NOT NULL) WITH (fillfactor = 60);
  CREATE TABLE bench.entry (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, account_id bigint NOT NULL, amount bigint NOT NULL);
  CREATE TABLE bench.single (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), note text NOT NULL, at timestamptz NOT NULL DEFAULT now());
  CREATE TABLE bench.event (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, key text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now());
  INSERT INTO bench.account SELECT id, 1000000000 FROM generate_series(1, ${PEOPLE}) AS id;
  CREATE FUNCTION bench.transfer(p_from bigint, p_to bigint, p_amount bigint) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE bench.account SET posted = posted - p_amount * sign(p_to - p_from)::int WHERE id = least(p_from, p_to);
    UPDATE bench.account SET posted = posted + p_amount * sign(p_to - p_from)::int WHERE id = greatest(p_from, p_to);
    INSERT INTO bench.entry (account_id, amount) VALUES (p_from, -p_amount);
    INSERT INTO bench.entry (account_id, amount) VALUES (p_to, p_amount);
  END $$;`;

const SCRIPTS = {
  transfer: `\\set a random(1, ${PEOPLE})\n\\set b 1 + (:a + random(0, ${PEOPLE - 2})) % ${PEOPLE}\nSELECT bench.transfer(:a, :b, 10);\n`,
  insert: `INSERT INTO bench.single (note) VALUES ('one row, committed');\n`,
};

const hasPgbench = () => process.env.BENCH_WITHOUT_PGBENCH !== '1' && spawnSync('pgbench', ['--version']).status === 0;

/** The tool that runs the floor on this machine. */
export const floorTool = () => (hasPgbench() ? 'pgbench' : 'a loop around pg');

export const createFloor = (client) => client.query(SCHEMA);

/**
 * @param {{ connection: object, server: { databasePid: number } }} stage
 * @param {'transfer' | 'insert'} name the statement to run
 * @param {number} connections concurrent connections
 * @returns `{ run(ms), close() }`
 */
export async function openFloor({ connection, server: { databasePid } }, name, connections = CONNECTIONS) {
  return (hasPgbench() ? pgbench : loop)({ connection, databasePid, name, connections });
}

function pgbench({ connection, databasePid, name, connections }) {
  const { host, port, user, password, database } = connection;
  const file = join(tmpdir(), `sluice-bench-${process.pid}-${name}.sql`);
  writeFileSync(file, SCRIPTS[name]);
  const run = async (ms) => {
    // With many connections, SCRAM authentication takes part of this time; pgbench does not count it in the rate.
    const seconds = Math.max(1, Math.round(ms / 1000)) + (connections > CONNECTIONS ? 1 : 0);
    const args = [
      '-n',
      '-M',
      'prepared',
      '-c',
      connections,
      '-j',
      1,
      '-T',
      seconds,
      '-f',
      file,
      '-h',
      host,
      '-p',
      port,
      '-U',
      user,
      database,
    ];
    const cpuOf = countCpu({ databasePid });
    const child = spawn('pgbench', args.map(String), {
      env: { ...process.env, PGPASSWORD: password },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    child.stdout.on('data', (text) => (output += text));
    await once(child, 'close');
    const value = Number(/^tps = ([\d.]+)/m.exec(output)?.[1] ?? NaN);
    if (Number.isNaN(value)) throw new Error(`pgbench failed: ${output}`);
    return { value, ...cpuOf(Number(/actually processed: (\d+)/.exec(output)?.[1])) };
  };
  return { run, close: async () => rmSync(file, { force: true }) };
}

async function loop({ connection, databasePid, name, connections }) {
  const clients = await Promise.all(Array.from({ length: connections }, () => connect(connection)));
  const ask = {
    transfer: () => {
      const from = 1 + Math.floor(Math.random() * PEOPLE);
      const to = 1 + ((from + Math.floor(Math.random() * (PEOPLE - 1))) % PEOPLE);
      return { name: 'floor', text: 'SELECT bench.transfer($1, $2, 10)', values: [from, to] };
    },
    insert: () => ({ name: 'floor', text: 'INSERT INTO bench.single (note) VALUES ($1)', values: ['one row, committed'] }),
  }[name];
  const run = (ms) => runLoad({ callers: connections, ms, databasePid, work: (caller) => clients[caller].query(ask()) });
  return { run, close: () => Promise.all(clients.map((client) => client.end())) };
}
