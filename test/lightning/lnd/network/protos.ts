import { join } from 'node:path';
import { loadLndServices } from '../../../../src/money/lightning/lnd/lnd-connection.js';

const FILES = [
  'lightning.proto',
  'stateservice.proto',
  'routerrpc/router.proto',
  'invoicesrpc/invoices.proto',
  'walletrpc/walletkit.proto',
  'chainrpc/chainkit.proto',
];

/** The services of LND's own files, which `scripts/test-lnd.js` puts beside the programs. */
export const lndsOwnServices = (): ReturnType<typeof loadLndServices> =>
  loadLndServices(FILES, join(process.env['LND_BINARIES'] ?? '', 'proto'));
