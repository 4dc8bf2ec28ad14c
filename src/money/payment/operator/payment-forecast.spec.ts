import { type NodeEvidence, forecastOf, type NextStep } from './payment-forecast.js';
import type { OperatorPaymentRow } from './operator-payment.row.js';

const NOW = new Date('2026-01-01T12:00:00Z');
const ago = (seconds: number): Date => new Date(NOW.getTime() - seconds * 1_000);
const LEASE = 60;
const PATIENCE = 3_600;

const row = (more: Partial<OperatorPaymentRow>): OperatorPaymentRow => ({
  id: '00000000-0000-4000-8000-000000000000',
  kind: 'ln',
  state: 'in_flight',
  amountMsat: 1_000n,
  feeLimitMsat: 10n,
  feeMsat: null,
  amountCents: null,
  heldCents: null,
  dealerCentsPerBtc: null,
  paymentHash: 'ab'.repeat(32),
  nodeId: '02',
  accountId: '00000000-0000-4000-8000-000000000001',
  walletId: '00000000-0000-4000-8000-000000000002',
  failure: null,
  createdAt: ago(7_200),
  dispatchedAt: ago(7_200),
  seenInFlight: false,
  notFoundAt: null,
  notFoundAnew: false,
  nextCheckAt: NOW,
  finishedAt: null,
  isFresh: false,
  readAt: NOW,
  ...more,
});
const node = (more: Partial<NodeEvidence>): NodeEvidence => ({
  status: 'not_found',
  feeMsat: null,
  isPreimageValid: null,
  reason: null,
  paymentIndex: 5n,
  isIndexUnbroken: true,
  ...more,
});

describe('what Sluice does next about a payment', () => {
  it.each<
    [words: string, payment: Partial<OperatorPaymentRow>, answer: Partial<NodeEvidence>, step: NextStep, hasEarlierAttempt?: boolean]
  >([
    ['an internal one has ended', { kind: 'internal', state: 'settled' }, { status: 'none' }, 'none'],
    ['a settled one has ended', { state: 'settled' }, { status: 'settled', isPreimageValid: true }, 'none'],
    ['a failed one has ended', { state: 'failed' }, { status: 'failed' }, 'none'],
    ['one that was released and settled is a loss', { state: 'failed' }, { status: 'settled', isPreimageValid: true }, 'book_loss'],
    ['one that was released and is in flight needs an operator', { state: 'failed' }, { status: 'in_flight' }, 'operator'],
    ['a silent node', {}, { status: 'unknown' }, 'wait'],
    ['another node', {}, { status: 'other_node' }, 'operator'],
    ['in flight', { seenInFlight: true }, { status: 'in_flight' }, 'wait'],
    ['settled', {}, { status: 'settled', isPreimageValid: true }, 'settle'],
    ['settled with another preimage', {}, { status: 'settled', isPreimageValid: false }, 'operator'],
    ['failed, and seen in flight', { seenInFlight: true }, { status: 'failed' }, 'fail'],
    ['not found, and seen in flight', { seenInFlight: true }, {}, 'operator'],
    ['within its lease', { createdAt: ago(LEASE - 1), notFoundAt: ago(LEASE - 2) }, {}, 'wait'],
    ['not found for the first time', {}, {}, 'wait'],
    ['never sent, and not found for a lease', { dispatchedAt: null, notFoundAt: ago(LEASE) }, {}, 'fail'],
    ['sent, and not found for a lease', { notFoundAt: ago(LEASE) }, {}, 'wait'],
    ['sent, and not found for long', { notFoundAt: ago(PATIENCE) }, {}, 'fail'],
    [
      'the same, while the index cannot be read',
      { notFoundAt: ago(PATIENCE) },
      { paymentIndex: 'unknown', isIndexUnbroken: false },
      'wait',
    ],
    [
      'the same, at a node without an index',
      { notFoundAt: ago(PATIENCE) },
      { paymentIndex: 'unsupported', isIndexUnbroken: false },
      'operator',
    ],
    ['the same, at a restored node', { notFoundAt: ago(PATIENCE) }, { isIndexUnbroken: false }, 'operator'],
    ['failed for a lease, the only attempt', { notFoundAt: ago(LEASE) }, { status: 'failed' }, 'fail'],
    ['failed for a lease, perhaps an earlier attempt', { notFoundAt: ago(LEASE) }, { status: 'failed' }, 'wait', true],
  ])('%s', (_words, payment, answer, step, hasEarlierAttempt = false) => {
    const input = { payment: row(payment), node: node(answer), hasEarlierAttempt, leaseSeconds: LEASE, notFoundSeconds: PATIENCE };
    expect(forecastOf(input)).toMatchObject({ step, because: expect.stringMatching(/^[A-Z]/) as string });
  });

  it('says when the time decides', () => {
    const times = { createdAt: ago(10), notFoundAt: null };
    const input = { node: node({}), hasEarlierAttempt: false, leaseSeconds: LEASE, notFoundSeconds: PATIENCE };
    expect(forecastOf({ ...input, payment: row(times) }).at).toEqual(ago(10 - LEASE));
    expect(forecastOf({ ...input, payment: row({ notFoundAt: ago(100) }) }).at).toEqual(ago(100 - PATIENCE));
  });
});
