-- Sends are stopped while it is not known whether a restored database has lost payments, and while an operator has not
-- accepted what was found.

-- Of a server that accepts writes. Until the first checkpoint after a promotion, which takes minutes, only the end of
-- the recovery states it; that checkpoint removes it there, so it is read first.
CREATE OR REPLACE FUNCTION database_timeline() RETURNS integer LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT AS $$
DECLARE
  v_recovered CONSTANT integer := (SELECT min_recovery_end_timeline FROM pg_control_recovery());
BEGIN
  RETURN greatest(v_recovered, (SELECT timeline_id FROM pg_control_checkpoint()));
END $$;

-- 'restored': a copy, in this server or another. 'promoted': a standby took over, or an older state was recovered, and
-- commits may be missing. 'sound': neither since the last complete comparison.
CREATE OR REPLACE FUNCTION database_state() RETURNS text LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT coalesce(
    (SELECT CASE
      WHEN m.xmin::text::bigint <> m.xid % 4294967296 OR m.system_identifier <> s.system_identifier THEN 'restored'
      WHEN m.timeline <> database_timeline() THEN 'promoted' ELSE 'sound' END
       FROM database_mark m, pg_control_system() s), 'restored')
$$;

CREATE OR REPLACE FUNCTION database_mark_renew() RETURNS void LANGUAGE sql SET search_path FROM CURRENT AS $$
  INSERT INTO database_mark AS m (xid, system_identifier, timeline)
    SELECT pg_current_xact_id()::text::bigint, s.system_identifier, database_timeline() FROM pg_control_system() s
  ON CONFLICT (id) DO UPDATE
    SET xid = excluded.xid, system_identifier = excluded.system_identifier, timeline = excluded.timeline
$$;

-- For a restore that PostgreSQL's own numbers do not show, such as of a whole cluster.
CREATE OR REPLACE FUNCTION database_mark_forget() RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM database_mark;
  PERFORM reconciliation_guard();
END $$;

-- NULL: there is nothing to accept.
CREATE OR REPLACE FUNCTION reconciliation_findings(p_node text) RETURNS text LANGUAGE sql STABLE
SET search_path FROM CURRENT AS $$
  SELECT left(encode(sha256(convert_to(string_agg(line, E'\n' ORDER BY line), 'UTF8')), 'hex'), 16)
    FROM (SELECT payment_hash AS line FROM node_payment WHERE node_id = p_node AND verdict = 'unexplained'
          UNION ALL
          SELECT 'payout ' || t FROM reconciliation, unnest(lost_payouts) AS t WHERE node_id = p_node
          UNION ALL
          SELECT 'not compared' FROM reconciliation WHERE node_id = p_node AND cannot_compare
          UNION ALL
          SELECT 'index ' || payment_index || ' to ' || went_back_to FROM reconciliation
            WHERE node_id = p_node AND went_back_to IS NOT NULL) AS lines
$$;

-- A copy must not pay before it has been compared.
CREATE OR REPLACE FUNCTION reconciliation_guard() RETURNS text LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE v_state text := database_state();
BEGIN
  IF v_state = 'restored' THEN
    PERFORM payment_freeze_set(NULL, 'reconciliation', 'sluice',
      'the database was restored, and has not been compared with the node');
  END IF;
  RETURN v_state;
END $$;

CREATE OR REPLACE FUNCTION reconciliation_begin(p_node text) RETURNS TABLE (payment_index bigint, state text)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE v_state text := reconciliation_guard();
BEGIN
  INSERT INTO reconciliation (node_id) VALUES (p_node) ON CONFLICT DO NOTHING;
  RETURN QUERY SELECT r.payment_index, v_state FROM reconciliation r WHERE r.node_id = p_node;
END $$;

-- False: a failover may have lost what the comparison began with, its index too; or the database is a copy since. Then
-- the next comparison begins with what there is.
CREATE OR REPLACE FUNCTION reconciliation_holds(p_timeline integer, p_was_sound boolean) RETURNS boolean LANGUAGE sql
STABLE SET search_path FROM CURRENT AS $$
  SELECT database_timeline() = p_timeline AND (NOT p_was_sound OR database_state() = 'sound')
$$;

-- The index moves in the statement that stores the page. Returns how many this database may have lost.
CREATE OR REPLACE FUNCTION reconciliation_compare(p_node text, p_index bigint[], p_hash text[], p_state text[],
  p_amount bigint[], p_fee bigint[], p_created timestamptz[], p_is_sound boolean)
RETURNS integer LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE v_unexplained integer := node_payment_note(p_node, p_index, p_hash, p_state, p_amount, p_fee, p_created,
  p_is_sound);
BEGIN
  UPDATE reconciliation r SET payment_index = greatest(r.payment_index, (SELECT max(i) FROM unnest(p_index) AS i))
    WHERE r.node_id = p_node;
  IF v_unexplained > 0 THEN
    PERFORM payment_freeze_set(NULL, 'reconciliation', 'sluice',
      'the node has made payments that the ledger does not know');
  END IF;
  RETURN v_unexplained;
END $$;

-- What the wallet has sent, of which this database may have lost the payouts: what is queued here may have been paid.
-- Returns how many it does not know.
CREATE OR REPLACE FUNCTION reconciliation_lost_payouts(p_node text, p_txids text[]) RETURNS integer LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  lost CONSTANT text[] := ARRAY(SELECT t FROM unnest(p_txids) AS t
    WHERE NOT EXISTS (SELECT FROM payout_transaction p WHERE p.txid = t) ORDER BY t);
BEGIN
  IF lost = '{}' THEN RETURN 0; END IF;
  UPDATE reconciliation SET lost_payouts = lost WHERE node_id = p_node;
  PERFORM payment_freeze_set(NULL, 'reconciliation', 'sluice',
    'the wallet has made payouts that the ledger does not know');
  RETURN cardinality(lost);
END $$;

-- False: that was known.
CREATE OR REPLACE FUNCTION reconciliation_went_back(p_node text, p_before bigint, p_index bigint) RETURNS boolean
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO reconciliation (node_id) VALUES (p_node) ON CONFLICT DO NOTHING;
  UPDATE reconciliation r SET payment_index = greatest(r.payment_index, p_before), went_back_to = p_index
   WHERE r.node_id = p_node AND p_index < coalesce(r.went_back_to, greatest(r.payment_index, p_before));
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM payment_freeze_set(NULL, 'reconciliation', 'sluice', 'the payment index of the node went back');
  RETURN true;
END $$;

-- The back end lists no payments: an operator must compare a restored database by hand.
CREATE OR REPLACE FUNCTION reconciliation_cannot_compare(p_node text) RETURNS void LANGUAGE sql
SET search_path FROM CURRENT AS $$
  UPDATE reconciliation SET cannot_compare = true
    WHERE node_id = p_node AND NOT cannot_compare AND database_state() = 'restored'
$$;

-- Sends are allowed again unless an operator has something to accept.
CREATE OR REPLACE FUNCTION reconciliation_end(p_node text) RETURNS void LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE reconciliation SET compared_at = now() WHERE node_id = p_node;
  IF database_state() <> 'sound' THEN PERFORM database_mark_renew(); END IF;
  IF reconciliation_findings(p_node) IS NULL THEN
    PERFORM payment_freeze_end(NULL, true, 'sluice', 'compared with the node');
  END IF;
END $$;

-- p_hash is of one payment, or of the findings for everything. False: there is nothing of this hash.
CREATE OR REPLACE FUNCTION reconciliation_accept(p_node text, p_hash text, p_who text, p_because text) RETURNS boolean
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE v_all boolean; v_accepted text[]; v_back bigint; v_uncompared boolean := false;
BEGIN
  PERFORM FROM reconciliation WHERE node_id = p_node FOR UPDATE;
  v_all := p_hash = reconciliation_findings(p_node);
  v_accepted := node_payment_accept(p_node, p_hash, v_all);
  IF v_all THEN
    UPDATE reconciliation r SET payment_index = r.went_back_to, went_back_to = NULL
      WHERE r.node_id = p_node AND r.went_back_to IS NOT NULL RETURNING r.payment_index INTO v_back;
    UPDATE reconciliation SET cannot_compare = false, lost_payouts = '{}'
     WHERE node_id = p_node AND (cannot_compare OR lost_payouts <> '{}');
    v_uncompared := FOUND;
    IF v_uncompared THEN PERFORM database_mark_renew(); END IF;
  END IF;
  IF v_accepted IS NULL AND v_back IS NULL AND NOT v_uncompared THEN RETURN false; END IF;
  PERFORM operator_action_add(p_who, 'reconcile accept', p_node, p_because,
    jsonb_build_object('hash', p_hash, 'payments', v_accepted, 'index', v_back));
  IF reconciliation_findings(p_node) IS NULL AND database_state() = 'sound' THEN
    PERFORM payment_freeze_end(NULL, true, p_who, p_because);
  END IF;
  RETURN true;
END $$;
