-- One call applies a batch of operations and returns one result each. A refused operation stores nothing, not even its
-- key, and does not affect the others: everything is checked in memory before anything is written.
--
-- Operations (`op`; `kind` is the caller's own vocabulary)
--   post: moves money: its legs change posted and sum to zero in each currency
--   hold: one leg, negative, on a customer's account: sets that much aside. `idem` becomes the hold's id
--   capture: ends the hold `hold` and posts. Its legs debit the held account by no more than the hold; the rest is free
--   void: ends the hold `hold`. No legs
-- Legs are netted per account before they are checked. Amounts are whole units (msat, cents), none beyond 2.1e18, all
-- the bitcoin there can be in msat.
--
-- Results, in the order of the checks
--   invalid: a leg is null, zero or a fraction
--   out_of_range: a leg, or the sum of an account's legs, is beyond the bound
--   unknown_account
--   invalid: key or kind is missing, legs do not balance or do not suit the operation
--   duplicate: the same content was applied under this key before | conflict: other content was
--   hold_not_open: there is no such hold, or it was captured or voided
--   invalid: a capture does not debit the held account
--   hold_exceeded: a capture debits the held account by more than the hold
--   out_of_range: a resulting balance is beyond the bound
--   insufficient: posted - held would become negative
--   ok
--   internal: an unexpected error; the server's log has a warning. The key is free
--
-- Lock order, for every transaction that moves money:
--   the caller's own rows < customers' accounts by id < journal keys, sorted < hot accounts by id
-- So a caller locks its own rows, calls this once, and then writes the rest. One call per transaction and READ
-- COMMITTED are enforced. It raises, and writes nothing, when called wrongly (SQLSTATE 22023) or when the database
-- fails (classes 40, 53, 55, 57, 58).
--
-- A session keeps plans that it made perhaps while every table was empty, when a scan of a whole table for each row
-- looks cheapest. So every table is read by `= ANY (array)`, by index, and joined only by hash: the settings of
-- ledger_apply allow nothing else.

-- Customers' accounts are locked already, hot ones not yet.
CREATE OR REPLACE FUNCTION ledger_write(p_journals ledger_journal[], p_entries ledger_entry[], p_holds ledger_hold[],
  p_accounts ledger_account[], p_hot_ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  account_ids bigint[] := ARRAY(SELECT a.id FROM unnest(p_accounts) a);
  written int;
BEGIN
  -- Sorted by key: two batches with the same keys wait for each other in one direction only.
  INSERT INTO ledger_journal SELECT * FROM unnest(p_journals) j ORDER BY j.idem ON CONFLICT (idem) DO NOTHING;
  GET DIAGNOSTICS written = ROW_COUNT;
  IF written < cardinality(p_journals) THEN
    -- a batch that shares no account with this one took a key after the check: check again
    RAISE EXCEPTION 'another batch has taken a key of this batch' USING ERRCODE = 'unique_violation';
  END IF;
  INSERT INTO ledger_entry SELECT * FROM unnest(p_entries);
  INSERT INTO ledger_hold AS h SELECT x.* FROM unnest(p_holds) x WHERE x.id IS NOT NULL
    ON CONFLICT (id) DO UPDATE SET state = excluded.state, closed_at = excluded.closed_at
      WHERE h.state <> excluded.state;
  UPDATE ledger_account a SET posted = x.posted, held = x.held FROM unnest(p_accounts) x
   WHERE a.id = x.id AND a.id = ANY (account_ids) AND NOT a.hot AND (a.posted <> x.posted OR a.held <> x.held);
  -- Hot accounts last and once: other transactions wait for them from here until this one commits.
  IF p_hot_ids <> '{}' THEN
    PERFORM 1 FROM ledger_account WHERE id = ANY (p_hot_ids) ORDER BY id FOR NO KEY UPDATE;
    UPDATE ledger_account a SET posted = a.posted + x.amount
      FROM (SELECT e.account_id, sum(e.amount) AS amount FROM unnest(p_entries) e GROUP BY 1) x
     WHERE a.id = x.account_id AND a.id = ANY (p_hot_ids);
  END IF;
END $$;

-- A statement that starts after the locks sees what their last holders committed.
CREATE OR REPLACE FUNCTION ledger_read(p_operations ledger_compiled[], p_touched bigint[],
  OUT accounts ledger_account[], OUT keys uuid[], OUT contents bytea[], OUT holds ledger_hold[]) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM ledger_account WHERE id = ANY (p_touched) AND NOT hot ORDER BY id FOR NO KEY UPDATE;
  accounts := ARRAY(SELECT a FROM ledger_account a WHERE a.id = ANY (p_touched) ORDER BY a.id);
  keys := ARRAY(SELECT DISTINCT k.id FROM unnest(p_operations) x CROSS JOIN LATERAL (VALUES (x.idem), (x.hold)) k(id)
    WHERE k.id IS NOT NULL ORDER BY k.id);
  SELECT array_agg(x.content), array_agg(x.hold) INTO contents, holds
    FROM (SELECT j.content, h AS hold FROM unnest(keys) WITH ORDINALITY AS k(id, n)
            LEFT JOIN ledger_journal j ON j.idem = k.id AND j.idem = ANY (keys)
            LEFT JOIN ledger_hold h ON h.id = k.id AND h.id = ANY (keys) AND h.account_id = ANY (p_touched)
           ORDER BY k.n) x;
END $$;

-- It sees only the accounts of p_touched, and the holds on them.
CREATE OR REPLACE FUNCTION ledger_book(p_operations ledger_compiled[], p_touched bigint[], p_at timestamptz)
RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  results text[] := '{}';
  -- The state, updated operation by operation, sorted by id: width_bucket(id, ids) is a binary search.
  account_ids bigint[]; accounts ledger_account[]; keys uuid[]; contents bytea[]; holds ledger_hold[];
  journals ledger_journal[] := '{}'; entries ledger_entry[] := '{}'; hot_ids bigint[] := '{}';
  o ledger_compiled; refusal text; hold ledger_hold; debit bigint; held bigint; account ledger_account;
  changed ledger_account[]; journal bigint;
BEGIN
  SELECT r.* INTO accounts, keys, contents, holds FROM ledger_read(p_operations, p_touched) AS r;
  account_ids := ARRAY(SELECT a.id FROM unnest(accounts) a);
  FOREACH o IN ARRAY p_operations LOOP
    hold := holds[width_bucket(o.hold, keys)];
    debit := -o.amounts[array_position(o.accounts, hold.account_id)];
    refusal := coalesce(o.refusal, ledger_key_refusal(contents[width_bucket(o.idem, keys)], o.content, o.op, o.hold,
      hold.state, hold.amount, debit));
    -- Otherwise the four operations are alike.
    IF o.op = 'hold' THEN
      hold := ROW(o.idem, o.accounts[1], -o.amounts[1], 'open', p_at, NULL)::ledger_hold;
      held := hold.amount; o.amounts := '{0}';
    ELSIF o.hold IS NOT NULL THEN
      hold.state := CASE o.op WHEN 'capture' THEN 'captured' ELSE 'voided' END; hold.closed_at := p_at;
      held := -hold.amount;
      IF o.op = 'void' THEN o.accounts := ARRAY[hold.account_id]; o.amounts := '{0}'; END IF;
    END IF;
    changed := '{}';
    FOR i IN 1 .. cardinality(o.accounts) LOOP
      EXIT WHEN refusal IS NOT NULL;
      account := accounts[width_bucket(o.accounts[i], account_ids)];
      account.posted := account.posted + o.amounts[i];
      IF account.id = hold.account_id THEN account.held := account.held + held; END IF;
      refusal := ledger_account_refusal(account.posted, account.held, account.hot, account.allow_negative);
      changed := changed || account;
    END LOOP;
    results := results || coalesce(refusal, 'ok');
    CONTINUE WHEN refusal IS NOT NULL;
    journal := nextval('ledger_journal_id');
    journals := journals || ROW(journal, o.idem, o.op, o.kind, hold.id, o.content, p_at)::ledger_journal;
    contents[width_bucket(o.idem, keys)] := o.content;
    IF hold.id IS NOT NULL THEN holds[width_bucket(hold.id, keys)] := hold; END IF;
    FOR i IN 1 .. cardinality(changed) LOOP
      account := changed[i];
      IF account.hot THEN hot_ids := hot_ids || account.id;
      ELSE accounts[width_bucket(account.id, account_ids)] := account; END IF;
      CONTINUE WHEN o.amounts[i] = 0;
      entries := entries || ROW(journal, account.id, account.currency, o.amounts[i],
        CASE WHEN NOT account.hot THEN account.posted END)::ledger_entry;
    END LOOP;
  END LOOP;
  IF journals <> '{}' THEN PERFORM ledger_write(journals, entries, holds, accounts, hot_ids); END IF;
  RETURN results;
END $$;

-- A failure of the database or a bug of the caller is no error of one operation.
CREATE OR REPLACE FUNCTION ledger_must_raise(p_sqlstate text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT left(p_sqlstate, 2) IN ('40', '53', '55', '57', '58') OR p_sqlstate = '22023'
$$;

-- Replays a batch that failed as a whole, each operation in its own subtransaction: slow and rare. Operations keep
-- their order, so all locks are taken first; the lock on the journal makes this transaction the only writer of keys.
CREATE OR REPLACE FUNCTION ledger_replay(p_operations ledger_compiled[], p_touched bigint[], p_at timestamptz)
RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  results text[] := '{}'; o ledger_compiled; result text; violated text;
BEGIN
  PERFORM 1 FROM ledger_account WHERE id = ANY (p_touched) AND NOT hot ORDER BY id FOR NO KEY UPDATE;
  LOCK TABLE ledger_journal IN SHARE ROW EXCLUSIVE MODE;
  PERFORM 1 FROM ledger_account WHERE id = ANY (p_touched) AND hot ORDER BY id FOR NO KEY UPDATE;
  FOREACH o IN ARRAY p_operations LOOP
    BEGIN
      result := (ledger_book(ARRAY[o],
        ARRAY(SELECT t FROM unnest(ledger_touched(ARRAY[o])) t WHERE t = ANY (p_touched)), p_at))[1];
    EXCEPTION WHEN OTHERS THEN
      GET STACKED DIAGNOSTICS violated = CONSTRAINT_NAME;
      IF ledger_must_raise(SQLSTATE) THEN RAISE; END IF;
      IF violated = 'ledger_account_range' THEN  -- a hot account
        result := 'out_of_range';
      ELSE
        RAISE WARNING 'ledger: operation % failed: % %', o.idem, SQLSTATE, SQLERRM;
        result := 'internal';
      END IF;
    END;
    results := results || result;
  END LOOP;
  RETURN results;
END $$;

-- p_operations is not null. Amounts are numeric: one that fits no bigint must fail its operation, not the batch.
CREATE OR REPLACE FUNCTION ledger_apply(p_operations ledger_operation[], p_at timestamptz DEFAULT clock_timestamp())
RETURNS text[] LANGUAGE plpgsql SECURITY DEFINER
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET jit = off
SET enable_seqscan = off SET enable_nestloop = off SET enable_mergejoin = off SET enable_hashjoin = on AS $$
DECLARE
  operations ledger_compiled[]; touched bigint[];
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN  -- it reads again after it has waited for locks
    RAISE EXCEPTION 'ledger_apply requires READ COMMITTED' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF current_setting('ledger.applied', true) = 'yes' THEN
    -- it would lock customers' accounts after hot ones, and could deadlock
    RAISE EXCEPTION 'ledger_apply was called before: call it once per transaction, with all operations' USING ERRCODE =
      'invalid_parameter_value';
  END IF;
  PERFORM set_config('ledger.applied', 'yes', true);
  IF p_operations IS NULL THEN
    RAISE EXCEPTION 'ledger_apply requires p_operations, which is null' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  operations := ledger_compile(p_operations);
  touched := ledger_touched(operations);
  BEGIN
    RETURN ledger_book(operations, touched, coalesce(p_at, clock_timestamp()));
  EXCEPTION WHEN OTHERS THEN
    IF ledger_must_raise(SQLSTATE) THEN RAISE; END IF;
    RAISE WARNING 'ledger: a batch of % operations is replayed one by one: % %', cardinality(p_operations), SQLSTATE,
      SQLERRM;
  END;
  RETURN ledger_replay(operations, touched, coalesce(p_at, clock_timestamp()));
END $$;

-- Locks without waiting, and returns what it got.
CREATE OR REPLACE FUNCTION ledger_lock_free(p_accounts bigint[]) RETURNS bigint[] LANGUAGE sql SECURITY DEFINER
SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  SELECT ARRAY(SELECT a.id FROM ledger_account a WHERE a.id = ANY (p_accounts) ORDER BY a.id
    FOR NO KEY UPDATE SKIP LOCKED)
$$;

CREATE OR REPLACE FUNCTION ledger_lock_free_holds(p_holds uuid[]) RETURNS uuid[] LANGUAGE plpgsql SECURITY DEFINER
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  free CONSTANT bigint[] := ledger_lock_free(ARRAY(SELECT h.account_id FROM ledger_hold h WHERE h.id = ANY (p_holds)));
BEGIN
  RETURN ARRAY(SELECT h.id FROM ledger_hold h WHERE h.id = ANY (p_holds) AND h.account_id = ANY (free) ORDER BY h.id
    FOR NO KEY UPDATE SKIP LOCKED);
END $$;

-- Only the owner may call these, until an operator grants ledger_open, ledger_apply and ledger_lock_free* to the
-- application's role.
REVOKE ALL ON FUNCTION ledger_open, ledger_compile, ledger_touched, ledger_write, ledger_read, ledger_book,
  ledger_must_raise, ledger_replay, ledger_apply, ledger_lock_free, ledger_lock_free_holds
  FROM PUBLIC;
