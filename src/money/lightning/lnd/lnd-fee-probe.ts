import { MAX_AMOUNT_MSAT } from '../../../platform/kernel/money.js';
import { decodeInvoice, type RouteHop } from '../bolt11/index.js';
import type { FeeProbe, FeeProbeRequest } from '../lightning-backend.js';
import type { LndHopHint } from './lnd-calls.js';
import type { LndConnection } from './lnd-connection.js';
import { isRefusal, wordsOf } from './lnd-errors.js';

const NO_ROUTE = { status: 'no_route' } as const;
/** LND's words, which have no code: no path, or none that its own channels can begin. */
const WITHOUT_ROUTE = /unable to find a path to destination|insufficient local balance/;

/**
 * Asks LND for a route in its graph, with what it has learnt from payments. Nothing is sent: `EstimateRouteFee` with an invoice sends HTLCs,
 * which lock money for up to a minute and are listed as payments; with a destination it takes whole satoshis, and knows neither the hints of
 * the invoice nor a limit.
 */
export async function probeFee(
  connection: LndConnection,
  { paymentRequest, amountMsat, feeLimitMsat }: FeeProbeRequest,
): Promise<FeeProbe> {
  const decoded = decodeInvoice(paymentRequest);
  const isPayable = amountMsat > 0n && amountMsat <= MAX_AMOUNT_MSAT && feeLimitMsat >= 0n && feeLimitMsat <= MAX_AMOUNT_MSAT;
  if (!decoded.ok || !isPayable || (decoded.invoice.amountMsat ?? amountMsat) !== amountMsat) return NO_ROUTE;
  const { payeeNodeId, minFinalCltvExpiryDelta, routeHints } = decoded.invoice;
  try {
    const { routes } = await connection.call('lnrpc.Lightning/QueryRoutes', {
      pub_key: payeeNodeId,
      amt_msat: String(amountMsat),
      final_cltv_delta: minFinalCltvExpiryDelta,
      fee_limit: { fixed_msat: String(feeLimitMsat) },
      use_mission_control: true,
      route_hints: routeHints.map((hops) => ({ hop_hints: hops.map(hintOf) })),
    });
    const fees = routes.map(({ total_fees_msat: fee }) => BigInt(fee)).filter((fee) => fee <= feeLimitMsat);
    const [first] = fees;
    return first === undefined ? NO_ROUTE : { status: 'known', feeMsat: fees.reduce((least, fee) => (fee < least ? fee : least), first) };
  } catch (error) {
    if (isRefusal(error) && WITHOUT_ROUTE.test(wordsOf(error))) return NO_ROUTE;
    throw error;
  }
}

const hintOf = ({ nodeId, shortChannelId, feeBaseMsat, feePpm, cltvExpiryDelta }: RouteHop): LndHopHint => ({
  node_id: nodeId,
  chan_id: String(channelNumberOf(shortChannelId)),
  fee_base_msat: feeBaseMsat,
  fee_proportional_millionths: feePpm,
  cltv_expiry_delta: cltvExpiryDelta,
});

/** `589390x3312x1` as LND numbers channels: 24 bits of the block, 24 of the transaction, 16 of the output. */
function channelNumberOf(shortChannelId: string): bigint {
  const [block = 0n, transaction = 0n, output = 0n] = shortChannelId.split('x').map(BigInt);
  return (block << 40n) | (transaction << 16n) | output;
}
