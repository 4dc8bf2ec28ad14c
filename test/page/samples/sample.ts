import { CORE_SCOPES } from '../../../src/edge/auth/index.js';
import {
  bitcoin,
  Brand,
  BrandSettings,
  dollars,
  type Frame,
  type Html,
  type Money,
  type PageKind,
  type ScopeView,
  type ShellFrame,
} from '../../../src/edge/page/index.js';
import type { Activity } from './views.js';

/** One page in one state, with what a browser needs to show it. */
export interface Sample {
  /** Unique; also the file name of its picture. */
  readonly name: string;
  readonly kind: PageKind;
  readonly status: number;
  readonly html: Html;
}

/** Names that hostile or unlucky people choose. */
export const HOSTILE = {
  markup: `<img src=x onerror="alert(1)">'"><svg onload=alert(1)>`,
  bidi: 'Corner \u202eeffoC\u202c \u2066coffee\u2069\u200f',
  long: 'W'.repeat(10_000),
  emoji: '👩‍👩‍👧‍👦🏳️‍🌈'.repeat(40),
} as const;

export const NONCE = 'c2FtcGxlLW5vbmNlLTE2Yg==';
export const NOW = new Date('2026-11-21T08:46:00Z');
export const at = (iso: string): Date => new Date(iso);
export const sats = (amount: number): Money => bitcoin(BigInt(amount) * 1_000n);

/** Another name than the software's: no page says that one. */
export const BRAND = new Brand(
  Object.assign(new BrandSettings(), { BRAND_NAME: 'Example Pay', BRAND_SUPPORT: 'mailto:help@example.test' }),
);
export const frame: Frame = { brand: BRAND, banner: 'demo', host: 'localhost:4000', now: NOW };
export const shell: ShellFrame = {
  ...frame,
  email: 'alice@example.test',
  csrf: 'q7Jd0sWmq7Jd0sWmq7Jd0sWm',
  nonce: NONCE,
  menu: [],
  events: null,
};
export const csrf = shell.csrf;
export const ID = '6740a1f2-58c1-7d3e-9b02-0c4f6a8e1d77';

export const scopes = (...names: string[]): ScopeView[] => CORE_SCOPES.filter(({ name }) => names.includes(name));

export const gate = { kind: 'gate' } as const;
export const dashboard = { kind: 'dashboard', nonce: NONCE } as const;
export const error = { kind: 'error' } as const;
export const consent = { kind: 'consent', redirectUri: 'https://corner-coffee.example/callback' } as const;
export const sample = (name: string, kind: PageKind, html: Html, status = 200): Sample => ({ name, kind, status, html });

export const ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';

const PAYMENT: Activity = {
  id: ID,
  amount: sats(-4_201),
  about: dollars(257),
  state: 'sent',
  at: at('2026-11-20T15:20:11Z'),
  party: null,
  ownWallet: null,
  memo: null,
  cause: null,
  by: null,
  deposit: null,
  payout: null,
  address: null,
  approvalUntil: null,
};
const payment = (differs: Partial<Activity>): Activity => ({ ...PAYMENT, ...differs });
const DEPOSIT = payment({ amount: sats(50_000), state: 'pending', at: at('2026-11-21T08:42:07Z'), address: ADDRESS });

const PAYOUT = payment({
  amount: sats(-40_000),
  state: 'pending',
  at: at('2026-11-21T08:42:07Z'),
  party: 'bcrt1qw508…ygt080',
  address: ADDRESS,
});

/** A payment that is sent to a bitcoin address, in each state. */
export const PAYOUTS = {
  queued: { ...PAYOUT, payout: { state: 'queued', speed: 'SLOW', confirmations: 0 } },
  batched: { ...PAYOUT, payout: { state: 'batched', speed: 'MEDIUM', confirmations: 0 } },
  broadcast: { ...PAYOUT, memo: 'For the boat', payout: { state: 'broadcast', speed: 'FAST', confirmations: 0 } },
  confirmed: { ...PAYOUT, amount: sats(-48_060), state: 'sent', payout: { state: 'confirmed', speed: 'FAST', confirmations: 3 } },
  cancelled: {
    ...PAYOUT,
    state: 'failed',
    cause: 'the operator cancelled it',
    payout: { state: 'cancelled', speed: 'SLOW', confirmations: 0 },
  },
} as const satisfies Readonly<Record<string, Activity>>;

/** A payment to a bitcoin address, in each phase. */
export const DEPOSITS = {
  seen: { ...DEPOSIT, deposit: { phase: 'arriving', confirmations: 0, needed: 2 } },
  confirming: { ...DEPOSIT, deposit: { phase: 'arriving', confirmations: 1, needed: 2 } },
  gone: { ...DEPOSIT, deposit: { phase: 'gone', confirmations: 0, needed: 2 } },
  waiting: { ...DEPOSIT, amount: sats(2_000), deposit: { phase: 'waiting', confirmations: 4, needed: 2 } },
  credited: { ...DEPOSIT, amount: sats(47_500), state: 'received', deposit: { phase: 'credited', confirmations: 7, needed: 2 } },
  held: { ...DEPOSIT, amount: sats(47_500), state: 'received', deposit: { phase: 'held', confirmations: 1, needed: 2 } },
  failed: { ...DEPOSIT, state: 'failed', cause: 'replaced by its sender', deposit: { phase: 'failed', confirmations: 0, needed: 2 } },
} as const satisfies Readonly<Record<string, Activity>>;

/** One payment of each sort. */
export const PAYMENTS = {
  pending: payment({
    amount: sats(-21_000),
    state: 'pending',
    at: at('2026-11-21T08:42:07Z'),
    party: 'Riverside Bakery',
    memo: 'Bread for Sunday',
  }),
  received: payment({ amount: sats(50_000), state: 'received', at: at('2026-11-21T07:12:30Z'), party: 'bob', memo: 'Lunch on Friday' }),
  byApp: payment({ party: 'Corner Coffee', memo: 'Two flat whites', by: { kind: 'app', id: ID, name: 'Corner Coffee' } }),
  failed: payment({
    amount: sats(-15_000),
    state: 'failed',
    at: at('2026-11-20T10:05:42Z'),
    party: 'Harbour Books',
    memo: 'Order 7',
    cause: 'no route found',
  }),
  byKey: payment({ amount: sats(-31_850), at: at('2026-11-19T18:30:00Z'), by: { kind: 'key', id: ID, name: 'Payroll bot' } }),
  funding: payment({ amount: sats(1_000_000), state: 'received', at: at('2026-11-02T07:02:19Z'), memo: 'Welcome to the demo' }),
  conversion: payment({ amount: { currency: 'USD', cents: 611n }, state: 'received', party: 'alice', ownWallet: 'BTC' }),
  lastYear: payment({ amount: { currency: 'USD', cents: -205n }, at: at('2025-11-18T07:02:19Z'), party: 'bob' }),
} as const;
export const activity: readonly Activity[] = Object.values(PAYMENTS);

/** A payment whose every text is hostile. */
export const hostilePayment = (text: string): Activity =>
  payment({
    amount: sats(-2_100_000_000_000),
    state: 'failed',
    at: NOW,
    party: text,
    memo: text,
    cause: text,
    by: { kind: 'app', id: ID, name: text },
  });
