// LND's messages as proto-loader writes them: int64 is a decimal string, bytes are a Buffer, enums are names. Payments carry hashes as hex,
// invoices as bytes.
import { right, type LndRight } from './lnd-rights.js';
import type { LndWalletCalls } from './lnd-wallet-calls.js';

export interface LndInfo {
  readonly identity_pubkey: string;
  readonly alias: string;
  readonly version: string;
  readonly synced_to_chain: boolean;
  readonly num_active_channels: number;
  readonly block_height: number;
  readonly block_hash: string;
  readonly chains: readonly { readonly chain: string; readonly network: string }[];
}

export interface LndInvoice {
  readonly r_hash: Buffer;
  readonly payment_request: string;
  readonly state: 'OPEN' | 'SETTLED' | 'CANCELED' | 'ACCEPTED';
  readonly settle_index: string;
  readonly settle_date: string;
  readonly amt_paid_msat: string;
}

interface LndInvoiceRequest {
  readonly r_preimage: Buffer;
  readonly value_msat: string;
  readonly expiry: string;
  readonly memo?: string;
  readonly description_hash?: Buffer;
  readonly private: boolean;
}

export interface LndHopHint {
  readonly node_id: string;
  readonly chan_id: string;
  readonly fee_base_msat: number;
  readonly fee_proportional_millionths: number;
  readonly cltv_expiry_delta: number;
}

interface LndRouteRequest {
  readonly pub_key: string;
  readonly amt_msat: string;
  readonly final_cltv_delta: number;
  readonly fee_limit: { readonly fixed_msat: string };
  readonly use_mission_control: boolean;
  readonly route_hints: readonly { readonly hop_hints: readonly LndHopHint[] }[];
}

export interface LndPayment {
  readonly payment_hash: string;
  readonly payment_preimage: string;
  readonly fee_msat: string;
  readonly status: 'UNKNOWN' | 'IN_FLIGHT' | 'SUCCEEDED' | 'FAILED' | 'INITIATED';
  readonly failure_reason: string;
  readonly payment_index: string;
  readonly value_msat: string;
  readonly creation_time_ns: string;
}

interface ChannelAmount {
  readonly msat: string;
}

/** Calls with one answer, by their path: `[request, answer]`. */
export interface LndUnaryCalls extends LndWalletCalls {
  'lnrpc.State/GetState': [Record<string, never>, { readonly state: string }];
  'lnrpc.Lightning/GetInfo': [Record<string, never>, LndInfo];
  'lnrpc.Lightning/AddInvoice': [
    LndInvoiceRequest,
    { readonly r_hash: Buffer; readonly payment_request: string; readonly payment_addr: Buffer },
  ];
  'lnrpc.Lightning/ListInvoices': [
    { readonly index_offset: string; readonly num_max_invoices: string },
    { readonly invoices: readonly LndInvoice[]; readonly last_index_offset: string },
  ];
  'lnrpc.Lightning/ListPayments': [
    { readonly include_incomplete: boolean; readonly max_payments: string; readonly reversed: boolean; readonly index_offset?: string },
    { readonly payments: readonly LndPayment[] },
  ];
  'lnrpc.Lightning/ChannelBalance': [
    Record<string, never>,
    {
      readonly local_balance: ChannelAmount | null;
      readonly remote_balance: ChannelAmount | null;
      readonly unsettled_local_balance: ChannelAmount | null;
    },
  ];
  'lnrpc.Lightning/QueryRoutes': [LndRouteRequest, { readonly routes: readonly { readonly total_fees_msat: string }[] }];
  'lnrpc.Lightning/CheckMacaroonPermissions': [
    { readonly macaroon: Buffer; readonly fullMethod: string; readonly permissions: readonly LndRight[] },
    { readonly valid: boolean },
  ];
  'invoicesrpc.Invoices/LookupInvoiceV2': [{ readonly payment_hash: Buffer }, LndInvoice];
  'invoicesrpc.Invoices/CancelInvoice': [{ readonly payment_hash: Buffer }, object];
}

/** Calls with a stream of answers, by their path: `[request, answer]`. */
export interface LndStreamCalls {
  'lnrpc.Lightning/SubscribeInvoices': [{ readonly settle_index: string }, LndInvoice];
  'routerrpc.Router/SendPaymentV2': [
    {
      readonly payment_request: string;
      readonly amt_msat: string;
      readonly fee_limit_msat: string;
      readonly timeout_seconds: number;
      readonly max_parts: number;
    },
    LndPayment,
  ];
  'routerrpc.Router/TrackPaymentV2': [{ readonly payment_hash: Buffer; readonly no_inflight_updates: boolean }, LndPayment];
  'routerrpc.Router/TrackPayments': [{ readonly no_inflight_updates: boolean }, LndPayment];
}

/** Every method that Lightning calls with a macaroon, and the right that permits it. A macaroon may permit the method alone instead (`uri:`). */
export const LND_RIGHTS: Readonly<
  Record<Exclude<keyof LndUnaryCalls | keyof LndStreamCalls, keyof LndWalletCalls | 'lnrpc.State/GetState'>, LndRight>
> = {
  'lnrpc.Lightning/GetInfo': right('info', 'read'),
  'lnrpc.Lightning/AddInvoice': right('invoices', 'write'),
  'lnrpc.Lightning/ListInvoices': right('invoices', 'read'),
  'lnrpc.Lightning/SubscribeInvoices': right('invoices', 'read'),
  'invoicesrpc.Invoices/LookupInvoiceV2': right('invoices', 'write'),
  'invoicesrpc.Invoices/CancelInvoice': right('invoices', 'write'),
  'routerrpc.Router/SendPaymentV2': right('offchain', 'write'),
  'routerrpc.Router/TrackPaymentV2': right('offchain', 'read'),
  'routerrpc.Router/TrackPayments': right('offchain', 'read'),
  'lnrpc.Lightning/ListPayments': right('offchain', 'read'),
  'lnrpc.Lightning/ChannelBalance': right('offchain', 'read'),
  'lnrpc.Lightning/QueryRoutes': right('info', 'read'),
  'lnrpc.Lightning/CheckMacaroonPermissions': right('macaroon', 'read'),
};

/** A right that Sluice never needs, by which the coins of the node can be sent away: a macaroon that has it has too many. */
export const EXCESSIVE_RIGHT = ['lnrpc.Lightning/SendCoins', right('onchain', 'write')] as const;
