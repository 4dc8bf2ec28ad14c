// The calls of LND's on-chain wallet, in the forms of lnd-calls.ts.
import { right, type LndRight } from './lnd-rights.js';

export interface LndTransaction {
  readonly tx_hash: string;
  /** Empty while it is not in a block. */
  readonly block_hash: string;
  readonly block_height: number;
  /** Of its block, or when the wallet saw it first. */
  readonly time_stamp: string;
  readonly label: string;
  readonly raw_tx_hex: string;
  readonly output_details: readonly {
    readonly address: string;
    readonly output_index: string;
    readonly amount: string;
    readonly is_our_address: boolean;
  }[];
  readonly previous_outpoints: readonly { readonly outpoint: string; readonly is_our_output: boolean }[];
}

export interface LndOutpoint {
  readonly txid_str: string;
  readonly output_index: number;
}

export interface LndLease {
  readonly id: Buffer;
  readonly outpoint: LndOutpoint;
  readonly value: string;
}

/** Calls with one answer, by their path: `[request, answer]`. */
export interface LndWalletCalls {
  'lnrpc.Lightning/WalletBalance': [
    Record<string, never>,
    { readonly confirmed_balance: string; readonly unconfirmed_balance: string; readonly reserved_balance_anchor_chan: string },
  ];
  'lnrpc.Lightning/GetTransactions': [
    { readonly start_height: number; readonly end_height: number; readonly index_offset?: number; readonly max_transactions?: number },
    { readonly transactions: readonly LndTransaction[]; readonly last_index: string },
  ];
  'walletrpc.WalletKit/NextAddr': [{ readonly type: 'WITNESS_PUBKEY_HASH' }, { readonly addr: string }];
  'walletrpc.WalletKit/GetTransaction': [{ readonly txid: string }, LndTransaction];
  'walletrpc.WalletKit/EstimateFee': [
    { readonly conf_target: number },
    { readonly sat_per_kw: string; readonly min_relay_fee_sat_per_kw: string },
  ];
  'walletrpc.WalletKit/FundPsbt': [
    {
      readonly psbt: Buffer;
      readonly sat_per_vbyte: string;
      readonly min_confs: number;
      readonly custom_lock_id: Buffer;
      readonly lock_expiration_seconds: string;
    },
    { readonly funded_psbt: Buffer; readonly change_output_index: number; readonly locked_utxos: readonly LndLease[] },
  ];
  'walletrpc.WalletKit/FinalizePsbt': [{ readonly funded_psbt: Buffer }, { readonly raw_final_tx: Buffer }];
  'walletrpc.WalletKit/PublishTransaction': [{ readonly tx_hex: Buffer; readonly label: string }, object];
  'walletrpc.WalletKit/ListLeases': [Record<string, never>, { readonly locked_utxos: readonly LndLease[] }];
  'walletrpc.WalletKit/LeaseOutput': [
    { readonly id: Buffer; readonly outpoint: LndOutpoint; readonly expiration_seconds: string },
    { readonly expiration: string },
  ];
  'walletrpc.WalletKit/ReleaseOutput': [{ readonly id: Buffer; readonly outpoint: LndOutpoint }, object];
  'chainrpc.ChainKit/GetBlock': [{ readonly block_hash: Buffer }, { readonly raw_block: Buffer }];
  'chainrpc.ChainKit/GetBlockHash': [{ readonly block_height: string }, { readonly block_hash: Buffer }];
}

/** The methods that on-chain addresses and payments need beside `LND_RIGHTS`, and the right that permits each. */
export const LND_WALLET_RIGHTS: Readonly<Record<keyof LndWalletCalls, LndRight>> = {
  'lnrpc.Lightning/WalletBalance': right('onchain', 'read'),
  'lnrpc.Lightning/GetTransactions': right('onchain', 'read'),
  'walletrpc.WalletKit/NextAddr': right('address', 'read'),
  'walletrpc.WalletKit/GetTransaction': right('onchain', 'read'),
  'walletrpc.WalletKit/EstimateFee': right('onchain', 'read'),
  'walletrpc.WalletKit/FundPsbt': right('onchain', 'write'),
  'walletrpc.WalletKit/FinalizePsbt': right('onchain', 'write'),
  'walletrpc.WalletKit/PublishTransaction': right('onchain', 'write'),
  'walletrpc.WalletKit/ListLeases': right('onchain', 'read'),
  'walletrpc.WalletKit/LeaseOutput': right('onchain', 'write'),
  'walletrpc.WalletKit/ReleaseOutput': right('onchain', 'write'),
  'chainrpc.ChainKit/GetBlock': right('onchain', 'read'),
  'chainrpc.ChainKit/GetBlockHash': right('onchain', 'read'),
};
