import { DemoService } from '../../src/app/demo/demo.service.js';
import { OnChainWallet } from '../../src/money/onchain/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { OperatorCommand } from '../support/operator-command.js';

let app: TestApp;
let sluice: OperatorCommand;
beforeAll(async () => {
  app = await createTestApp();
  sluice = new OperatorCommand(app);
});
afterAll(() => app.close());

const ELSEWHERE = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const HERE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';

it('deposits to an address of the wallet, confirms it, reorganises it away and drops it', async () => {
  const wallet = app.get(OnChainWallet);
  const created = await wallet.newAddress();
  const address = created.status === 'created' ? created.address : '';
  const txid = await sluice.run('simulator', 'deposit', address, '--sats', '5000');
  expect(await wallet.lookup(txid)).toEqual({ status: 'mempool' });
  expect(await sluice.run('simulator', 'mine')).toBe('The height is 101');
  expect(await wallet.lookup(txid)).toMatchObject({ status: 'confirmed', height: 101 });
  expect(await sluice.run('simulator', 'mine', '2')).toBe('The height is 103');
  expect(await sluice.run('simulator', 'reorg', '3')).toBe('The height is 104');
  expect(await wallet.lookup(txid)).toEqual({ status: 'mempool' });
  expect(await sluice.run('simulator', 'drop', txid)).toBe('dropped');
  expect(await wallet.lookup(txid)).toEqual({ status: 'not_found' });
});

it.each([
  ['mine 0', 'The number of blocks must be from 1 to 1000'],
  ['mine 1001', 'The number of blocks must be from 1 to 1000'],
  ['mine 1.5', 'The number of blocks must be from 1 to 1000'],
  ['reorg 7', 'The number of blocks must be from 1 to 6'],
  ['reorg deep', 'The number of blocks must be from 1 to 6'],
  [`deposit ${ELSEWHERE} --sats 5000`, 'This is no address of this network, or the amount is dust'],
  [`deposit ${HERE} --sats 293`, 'This is no address of this network, or the amount is dust'],
  [`deposit ${HERE} --sats 1.5`, '--sats must be a whole number of satoshis'],
  [`drop ${'ab'.repeat(32)}`, 'No transaction with this id is in the mempool'],
])('refuses simulator %s', async (words, reason) => {
  await expect(sluice.run('simulator', ...words.split(' '))).rejects.toThrow(reason);
});

it('mines by command alone, until the demo is prepared', async () => {
  const seconds = async (): Promise<unknown> => (await app.pool.query('SELECT block_seconds FROM simulated_chain.chain')).rows;
  expect(await seconds()).toEqual([{ block_seconds: 0 }]);
  await app.get(DemoService).prepare();
  expect(await seconds()).toEqual([{ block_seconds: 30 }]);
});
