import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LndNetwork } from './network.js';
import { WalletServer } from './wallet-server.js';

/** `npm run bench:lnd`: payments over two hops through Sluice, each beside one that LND makes by itself in the same run. */
const PAYMENTS = Number(process.env['BENCH_PAYMENTS'] ?? 100);
const WARM_UP = 10;
const TICKS_PER_SECOND = 100;

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
/** Processor time of a process so far, by Linux, in ms. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND;
}
async function msOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

it('a real LND payment, through Sluice and without it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-lnd-bench-'));
  const network = new LndNetwork(process.env['LND_BINARIES'] ?? '', folder);
  let wallets: WalletServer | undefined;
  try {
    await network.start();
    wallets = await WalletServer.start(network, folder, 1_000_000);
    const { server } = wallets;
    const alice = wallets.person('alice');
    const [through, direct]: [number[], number[]] = [[], []];
    let cpu = 0;
    for (let n = 0; n < WARM_UP + PAYMENTS; n++) {
      const [one, other] = [await wallets.invoiceOfC(100), await wallets.invoiceOfC(100)];
      const before = cpuMs(server.pid);
      const took = await msOf(async () => expect(await alice.pay(one.paymentRequest)).toMatchObject({ status: 'SUCCESS' }));
      const used = cpuMs(server.pid) - before;
      const alone = await msOf(async () => expect(await network.a.pay(other.paymentRequest)).toBe(true));
      if (n < WARM_UP) continue;
      through.push(took);
      direct.push(alone);
      cpu += used;
    }
    const [all, lnd] = [median(through), median(direct)];
    process.stdout.write(
      `${PAYMENTS} payments over two hops, one at a time, medians: through Sluice ${all.toFixed(1)} ms, by LND alone ${lnd.toFixed(1)} ms: ` +
        `Sluice adds ${(all - lnd).toFixed(1)} ms, and uses ${(cpu / PAYMENTS).toFixed(1)} ms of processor time\n`,
    );
  } finally {
    await wallets?.close();
    await network.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
