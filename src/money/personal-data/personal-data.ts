import { ApiKeyEntity } from '../../access/api-key/index.js';
import { PasskeyEntity } from '../../access/factor/index.js';
import { NoticeEntity } from '../../access/notice/index.js';
import { ApplicationEntity, GrantEntity } from '../../access/oauth/index.js';
import { SessionEntity } from '../../access/session/index.js';
import { UserEntity } from '../../access/user/index.js';
import { columns, fragment, sql, type Fragment, type Statement } from '../../platform/database/index.js';
import { BudgetAskEntity, BudgetEntity } from '../budget/index.js';
import { InvoiceEntity } from '../invoice/index.js';
import { DepositEntity, OnChainAddressEntity } from '../onchain/index.js';
import { PaymentApprovalEntity } from '../payment/index.js';
import { TransactionEntity } from '../transaction/index.js';
import { AccountEntity, WalletEntity } from '../wallet/index.js';
import { WebhookEndpointEntity } from '../webhook/index.js';

/** One list of the file of a person's data. */
export interface DataSection {
  readonly name: string;
  /** $1: the user. In the order of `at` and `id`, after $2 and $3; at most `ROWS_OF_PIECE`. */
  readonly statement: Statement;
}

export interface DataRow {
  readonly item: string;
  readonly at: string;
  readonly id: string;
}

export const ROWS_OF_PIECE = 500;

interface SectionSource {
  readonly item: Fragment;
  /** A table `r`, and the condition of its rows. */
  readonly from: Fragment;
  readonly at?: Fragment;
  readonly id?: Fragment;
  readonly idType?: Fragment;
}

const CREATED = fragment`r.created_at`;
const ID = fragment`r.id`;
const UUID = fragment`uuid`;
const TEXT = fragment`text`;
const ACCOUNT = fragment`(SELECT a.id FROM account a WHERE a.user_id = $1)`;
const OF_USER = fragment`r.user_id = $1`;
const OF_ACCOUNT = fragment`r.account_id = ${ACCOUNT}`;

/** An index finds rows of a wallet, in the order of their times. */
const ofWallets = (table: Fragment, id: Fragment, first: Fragment): Fragment => fragment`wallet w CROSS JOIN LATERAL (
    SELECT r.* FROM ${table} r
     WHERE r.wallet_id = w.id AND (r.created_at, ${id}) > (coalesce($2::timestamptz, '-infinity'), coalesce($3, ${first}))
     ORDER BY r.created_at, ${id} LIMIT ${ROWS_OF_PIECE}) r
  WHERE w.account_id = ${ACCOUNT}`;

const section = (name: string, { item, from, at = CREATED, id = ID, idType = UUID }: SectionSource): DataSection => ({
  name,
  statement: sql`SELECT (${item})::text AS item, (${at})::text AS at, (${id})::text AS id FROM ${from}
    AND ($2::timestamptz IS NULL OR (${at}, ${id}) > ($2::timestamptz, $3::${idType})) ORDER BY ${at}, ${id} LIMIT ${ROWS_OF_PIECE}`,
});

const USER = columns(UserEntity).except('passwordHash').json('r');
const SESSION = columns(SessionEntity).except('tokenHash', 'userId').json('r');
const PASSKEY = columns(PasskeyEntity).only('name', 'createdAt', 'lastUsedAt').json('r');
const KEY = columns(ApiKeyEntity).except('keyHash', 'previousHash', 'userId', 'grantId').json('r');
const GRANT = columns(GrantEntity).except('userId', 'sessionId').json('r');
const WEBHOOK = columns(WebhookEndpointEntity).except('secret', 'previousSecret', 'previousUntil', 'sequence').json('r');
const INVOICE = columns(InvoiceEntity).except('preimage', 'paymentSecret', 'accountId', 'nextLookAt', 'webhookOwnerId').json('r');
const LIMITED = fragment`r.id IN (SELECT k.id::text FROM api_key k WHERE k.user_id = $1
  UNION SELECT g.client_id || ':' || $1::text FROM oauth_grant g WHERE g.user_id = $1::uuid)`;

/** What is stored about a person, without secrets and their hashes. A test ties each table with a user or an account to this list, or to a reason. */
export const DATA_SECTIONS: readonly DataSection[] = [
  section('user', {
    item: fragment`${USER} || jsonb_build_object(
      'formerUsernames', ARRAY(SELECT f.name FROM username_former f WHERE f.user_id = r.id),
      'authenticatorAppSince', (SELECT t.confirmed_at FROM user_totp t WHERE t.user_id = r.id),
      'recoveryCodesLeft', (SELECT count(*) FROM user_recovery_code c WHERE c.user_id = r.id),
      'identities', ARRAY(SELECT jsonb_build_object('issuer', i.issuer, 'subject', i.subject, 'lastSignIn', i.proved_at) FROM user_identity i WHERE i.user_id = r.id),
      'noticesWithoutMail', (SELECT c.unmailed FROM notice_choice c WHERE c.user_id = r.id),
      'accessPausedBy', ARRAY(SELECT p.cause FROM access_pause p WHERE p.subject = r.id::text))`,
    from: fragment`app_user r WHERE r.id = $1`,
  }),
  section('account', { item: columns(AccountEntity).except('userId').json('r'), from: fragment`account r WHERE ${OF_USER}` }),
  section('wallets', {
    item: fragment`${columns(WalletEntity).only('id', 'currency', 'createdAt').json('r')} || jsonb_build_object(
      'balance', l.posted, 'held', l.held, 'unit', CASE r.currency WHEN 'BTC' THEN 'millisatoshi' ELSE 'cent' END)`,
    from: fragment`wallet r JOIN ledger_account l ON l.id = r.ledger_account_id WHERE ${OF_ACCOUNT}`,
  }),
  section('sessions', { item: SESSION, from: fragment`session r WHERE ${OF_USER}` }),
  section('passkeys', { item: PASSKEY, from: fragment`user_passkey r WHERE ${OF_USER}`, idType: TEXT }),
  section('apiKeys', { item: KEY, from: fragment`api_key r WHERE ${OF_USER}` }),
  section('apps', {
    item: fragment`${GRANT} || jsonb_build_object('app', c.name)`,
    from: fragment`oauth_grant r JOIN oauth_client c ON c.id = r.client_id WHERE ${OF_USER}`,
  }),
  section('limits', {
    item: columns(BudgetEntity).json('r'),
    from: fragment`budget r WHERE ${LIMITED}`,
    at: fragment`'epoch'::timestamptz`,
    idType: TEXT,
  }),
  section('limitsToAsk', {
    item: columns(BudgetAskEntity).json('r'),
    from: fragment`budget_ask r WHERE ${LIMITED}`,
    at: fragment`'epoch'::timestamptz`,
    idType: TEXT,
  }),
  section('approvals', {
    item: columns(PaymentApprovalEntity).except('userId', 'accountId').json('r'),
    from: fragment`payment_approval r WHERE ${OF_USER}`,
  }),
  section('applications', {
    item: columns(ApplicationEntity).except('ownerId').json('r'),
    from: fragment`oauth_application r WHERE r.owner_id = $1`,
    idType: TEXT,
  }),
  section('webhooks', { item: WEBHOOK, from: fragment`webhook_endpoint r WHERE ${OF_ACCOUNT}` }),
  section('notices', {
    item: columns(NoticeEntity).only('id', 'kind', 'details', 'at', 'mailed').json('r'),
    from: fragment`notice r WHERE ${OF_USER}`,
    at: fragment`r.at`,
  }),
  section('invoices', {
    item: INVOICE,
    from: ofWallets(fragment`invoice`, fragment`r.payment_hash`, fragment`''`),
    id: fragment`r.payment_hash`,
    idType: TEXT,
  }),
  section('addresses', {
    item: columns(OnChainAddressEntity).only('address', 'walletId', 'createdAt').json('r'),
    from: fragment`onchain_address r WHERE ${OF_ACCOUNT}`,
    id: fragment`r.address`,
    idType: TEXT,
  }),
  section('deposits', {
    item: columns(DepositEntity).except('accountId', 'scan', 'creditedHash', 'unproven', 'holdId').json('r'),
    from: fragment`deposit r WHERE ${OF_ACCOUNT}`,
    at: fragment`r.seen_at`,
    id: fragment`r.txid || ':' || r.vout`,
    idType: TEXT,
  }),
  section('transactions', {
    item: fragment`${columns(TransactionEntity).except('accountId').json('r')} || jsonb_build_object(
      'payee', (SELECT p.payee FROM payment p WHERE p.id = r.id))`,
    from: ofWallets(fragment`transaction`, ID, fragment`'00000000-0000-0000-0000-000000000000'::uuid`),
  }),
];
