-- One row.
CREATE TABLE ledger_audit_mark (
  id               smallint    NOT NULL DEFAULT 1,
  -- Every journal up to here has been audited.
  journal_id       bigint      NOT NULL DEFAULT 0,
  -- No running transaction has an id up to here.
  ended_journal_id bigint      NOT NULL DEFAULT 0,
  -- The same of these ids, once every transaction below next_xid has ended.
  next_journal_id  bigint      NOT NULL DEFAULT 0,
  next_xid         bigint      NOT NULL DEFAULT 0,
  next_at          timestamptz NOT NULL DEFAULT now(),
  -- Every journal that was committed before this time has been audited.
  audited_until    timestamptz,
  -- The last audit of the whole history that found nothing.
  whole_at         timestamptz,
  -- Blocks of journals in the digest of the history.
  blocks           bigint      NOT NULL DEFAULT 0,
  digest           bytea       NOT NULL DEFAULT '\x',
  CONSTRAINT ledger_audit_mark_pk PRIMARY KEY (id),
  CONSTRAINT ledger_audit_mark_one CHECK (id = 1)
);
INSERT INTO ledger_audit_mark DEFAULT VALUES;

-- What the audited entries of each hot account come to.
CREATE TABLE ledger_audit_total (
  account_id bigint NOT NULL,
  posted     bigint NOT NULL,
  CONSTRAINT ledger_audit_total_pk PRIMARY KEY (account_id)
);
