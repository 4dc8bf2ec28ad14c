-- Begins payments. Lock order: payment hashes (advisory, sorted), our invoices by payment hash, then the ledger's.

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Begins payments of three kinds, which are distinguished only here:
--   intraledger  p_recipient names a wallet: money moves now
--   internal     the invoice is ours (hash and text): money moves now, the invoice is paid, no node is asked to pay
--   ln           any other invoice: amount and fee limit are held, and the caller asks the node p_node next
-- p_id is the idempotency id of the attempt, also of its ledger operation, its hold and its history row: a caller may retry a call whose
-- response was lost. Results, with the payment that each is about:
--   settled | in_flight        begun by this call; a retry of p_id gets the state of the attempt: settled, pending, or refused if it failed
--   already_paid | pending     this account has paid this invoice, or is paying it
--   paid_by_other              another account has paid it
--   being_paid                 another account is paying it
--   text_mismatch              the hash is that of our invoice, its preimage was made here, and this is not our text of it
--   not_our_invoice            the text names our node as the payee, and it is no invoice of ours
--   unknown_wallet | unknown_recipient | wrong_currency | wrong_recipient_currency
--   self_payment | expired | cancelled | wrong_amount
--   insufficient | out_of_range | refused (the ledger's other codes)
--   busy                       another transaction holds its hash, its invoice or an account of it (only with p_skip_locked)
--   again                      another payment of this hash in the same batch went to the ledger: retry
-- p_to_us: the text names p_node as the payee. p_skip_locked: do not wait for locks (for what has waited too long before).
CREATE OR REPLACE FUNCTION payment_begin(
  p_id uuid[], p_user uuid[], p_wallet uuid[], p_recipient uuid[], p_hash text[], p_request text[], p_expires_at timestamptz[],
  p_amount bigint[], p_fee_limit bigint[], p_memo text[], p_node text, p_principal text[], p_client text[], p_cents_per_btc bigint,
  p_to_us boolean[], p_skip_locked boolean
) RETURNS TABLE (result text, payment_id uuid) LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan SET jit = off
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  c_kind CONSTANT smallint := 1;
  n CONSTANT int := cardinality(p_id);
  codes text[]; results text[] := array_fill(NULL::text, ARRAY[n]); about uuid[] := p_id;
  kinds text[] := array_fill(NULL::text, ARRAY[n]); preimages text[] := array_fill(NULL::text, ARRAY[n]);
  payer record; payee record; payer_names text[] := array_fill(NULL::text, ARRAY[n]); payee_names text[] := array_fill(NULL::text, ARRAY[n]);
  known uuid[]; accounts uuid[] := array_fill(NULL::uuid, ARRAY[n]); payees uuid[] := array_fill(NULL::uuid, ARRAY[n]); bill invoice; live payment; held bigint; k int; place int; first int;
  ours text; crowded text[]; locked text[]; free text[]; wallets uuid[]; accounts_free bigint[];
  sent int[] := '{}'; hashes text[] := '{}'; ops text[] := '{}'; leg_op int[] := '{}'; leg_account bigint[] := '{}'; leg_amount numeric[] := '{}';
  begun int[] := '{}'; paid text[] := '{}'; history history_row[] := '{}';
BEGIN
  -- 1. Lock the hashes: from here on no other transaction can begin to pay them.
  IF p_skip_locked THEN
    locked := ARRAY(SELECT sorted.h FROM (SELECT DISTINCT h FROM unnest(p_hash) AS h WHERE h IS NOT NULL ORDER BY 1) AS sorted
                     WHERE NOT pg_try_advisory_xact_lock(hashtextextended(sorted.h, 0)));
    free := ARRAY(SELECT i.payment_hash FROM invoice i WHERE i.payment_hash = ANY (p_hash) ORDER BY i.payment_hash FOR NO KEY UPDATE SKIP LOCKED);
    locked := locked || ARRAY(SELECT i.payment_hash FROM invoice i WHERE i.payment_hash = ANY (p_hash) AND i.payment_hash <> ALL (free));
    wallets := p_wallet || p_recipient || ARRAY(SELECT i.wallet_id FROM invoice i WHERE i.payment_hash = ANY (p_hash));
    accounts_free := ledger_lock_free(ARRAY(SELECT w.ledger_account_id FROM wallet w WHERE w.id = ANY (wallets)));
  ELSE
    PERFORM pg_advisory_xact_lock(hash) FROM (SELECT DISTINCT hashtextextended(h, 0) AS hash FROM unnest(p_hash) AS h WHERE h IS NOT NULL ORDER BY 1) AS sorted;
    PERFORM 1 FROM invoice i WHERE i.payment_hash = ANY (p_hash) ORDER BY i.payment_hash FOR NO KEY UPDATE;
  END IF;
  -- Read after the locks: while this call waited, another one may have carried out the same attempts.
  known := ARRAY(SELECT p.id FROM payment p WHERE p.id = ANY (p_id));
  -- Hashes that several attempts of this batch pay.
  crowded := ARRAY(SELECT h FROM unnest(p_hash) AS h WHERE h IS NOT NULL GROUP BY h HAVING count(*) > 1);

  -- 2. Check each payment, and collect the operations for the ledger.
  FOR k IN 1 .. n LOOP
    IF p_id[k] = ANY (known) THEN
      results[k] := (SELECT CASE p.state WHEN 'settled' THEN 'settled' WHEN 'failed' THEN 'refused' ELSE 'pending' END FROM payment p WHERE p.id = p_id[k]);
      CONTINUE;
    END IF;
    bill := NULL; live := NULL; ours := NULL;
    IF p_hash[k] IS NOT NULL THEN
      SELECT * INTO bill FROM invoice i WHERE i.payment_hash = p_hash[k];
      -- If Sluice made the preimage, another text of this hash cannot be paid: its signer does not have the preimage. If Sluice does not
      -- have the preimage, its owner may have signed other texts.
      IF bill.payment_request <> p_request[k] THEN ours := bill.preimage; bill := NULL; END IF;
      SELECT * INTO live FROM payment p WHERE p.payment_hash = p_hash[k] AND p.state IN ('in_flight', 'settled');
    END IF;
    SELECT w.id, w.account_id, w.currency, w.ledger_account_id, u.username INTO payer
      FROM wallet w JOIN account a ON a.id = w.account_id JOIN app_user u ON u.id = a.user_id WHERE w.id = p_wallet[k] AND u.id = p_user[k];
    SELECT w.id, w.account_id, w.currency, w.ledger_account_id, u.username INTO payee
      FROM wallet w JOIN account a ON a.id = w.account_id JOIN app_user u ON u.id = a.user_id WHERE w.id = coalesce(bill.wallet_id, p_recipient[k]);
    kinds[k] := CASE WHEN p_hash[k] IS NULL THEN 'intraledger' WHEN bill.payment_hash IS NOT NULL THEN 'internal' ELSE 'ln' END;
    results[k] := CASE
      WHEN payer.id IS NULL THEN 'unknown_wallet'
      WHEN ours IS NOT NULL THEN 'text_mismatch'
      WHEN live.account_id = payer.account_id THEN CASE live.state WHEN 'settled' THEN 'already_paid' ELSE 'pending' END
      WHEN live.state = 'in_flight' THEN 'being_paid'
      WHEN live.id IS NOT NULL OR bill.state = 'paid' THEN 'paid_by_other'
      WHEN kinds[k] = 'ln' AND p_to_us[k] THEN 'not_our_invoice'
      WHEN kinds[k] <> 'ln' AND payee.id IS NULL THEN 'unknown_recipient'
      WHEN payer.id = payee.id THEN 'self_payment'
      WHEN payer.currency <> 'BTC' THEN 'wrong_currency'
      WHEN payee.currency <> 'BTC' THEN 'wrong_recipient_currency'
      WHEN bill.state = 'cancelled' THEN 'cancelled'
      WHEN coalesce(bill.expires_at, p_expires_at[k]) <= clock_timestamp() THEN 'expired'
      WHEN bill.amount_msat <> p_amount[k] THEN 'wrong_amount'
      WHEN p_skip_locked AND (p_hash[k] = ANY (locked) OR payer.ledger_account_id <> ALL (accounts_free) OR payee.ledger_account_id <> ALL (accounts_free)) THEN 'busy'
      -- A payment that its wallet cannot afford must not be the first of its hash: sent in a loop, it makes the others retry each time.
      WHEN p_hash[k] = ANY (crowded) AND CASE kinds[k] WHEN 'ln' THEN (p_amount[k] + p_fee_limit[k] + 999) / 1000 * 1000 ELSE p_amount[k] END
           > (SELECT a.posted - a.held FROM ledger_account a WHERE a.id = payer.ledger_account_id) THEN 'insufficient'
      WHEN p_hash[k] = ANY (hashes) THEN 'again'
    END;
    IF live.id IS NOT NULL THEN about[k] := live.id; END IF;
    CONTINUE WHEN results[k] IS NOT NULL;
    sent := sent || k; hashes := hashes || p_hash[k]; accounts[k] := payer.account_id; payees[k] := payee.id; preimages[k] := bill.preimage;
    payer_names[k] := payer.username; payee_names[k] := payee.username;
    IF kinds[k] = 'ln' THEN
      held := (p_amount[k] + p_fee_limit[k] + 999) / 1000 * 1000;
      ops := ops || 'hold'::text; leg_op := leg_op || cardinality(sent); leg_account := leg_account || payer.ledger_account_id; leg_amount := leg_amount || -held::numeric;
    ELSE
      ops := ops || 'post'::text; leg_op := leg_op || ARRAY[cardinality(sent), cardinality(sent)];
      leg_account := leg_account || ARRAY[payer.ledger_account_id, payee.ledger_account_id]; leg_amount := leg_amount || ARRAY[-p_amount[k], p_amount[k]]::numeric[];
    END IF;
  END LOOP;
  IF sent = '{}' THEN RETURN QUERY SELECT * FROM unnest(results, about); RETURN; END IF;

  -- 3. Move or hold the money.
  codes := ledger_apply(ops, ARRAY(SELECT p_id[s] FROM unnest(sent) WITH ORDINALITY AS x(s, o) ORDER BY o), array_fill(c_kind, ARRAY[cardinality(sent)]), leg_op, leg_account, leg_amount);
  FOR m IN 1 .. cardinality(sent) LOOP
    k := sent[m];
    IF codes[m] <> 'ok' THEN
      -- A duplicate is the same attempt, which another call or this one has just carried out.
      results[k] := CASE WHEN codes[m] IN ('insufficient', 'out_of_range') THEN codes[m]
                         WHEN codes[m] = 'duplicate' THEN CASE kinds[k] WHEN 'ln' THEN 'pending' ELSE 'settled' END ELSE 'refused' END;
      CONTINUE;
    END IF;
    results[k] := CASE kinds[k] WHEN 'ln' THEN 'in_flight' ELSE 'settled' END;
    begun := begun || k;
    IF kinds[k] = 'internal' THEN paid := paid || p_hash[k]; END IF;
  END LOOP;
  -- The ledger would refuse the same payment again: a repeat in the same batch gets the same result. Otherwise many calls for one payment
  -- that their wallet cannot afford would take one round each.
  FOR k IN 1 .. n LOOP
    CONTINUE WHEN results[k] <> 'again';
    place := array_position(hashes, p_hash[k]); first := sent[place];
    IF codes[place] NOT IN ('ok', 'duplicate') AND (p_wallet[k], p_amount[k], p_fee_limit[k]) = (p_wallet[first], p_amount[first], p_fee_limit[first]) THEN
      results[k] := results[first];
    END IF;
  END LOOP;
  IF begun = '{}' THEN RETURN QUERY SELECT * FROM unnest(results, about); RETURN; END IF;

  -- 4. Write the payment, both sides of the history, and the invoice.
  INSERT INTO payment (id, account_id, wallet_id, kind, payment_hash, payment_request, amount_msat, fee_limit_msat, fee_msat, node_id, state, preimage, principal_id, client_id, finished_at)
    SELECT p_id[b], accounts[b], p_wallet[b], kinds[b], p_hash[b], p_request[b], p_amount[b], CASE kinds[b] WHEN 'ln' THEN p_fee_limit[b] ELSE 0 END,
           CASE WHEN kinds[b] <> 'ln' THEN 0 END, CASE kinds[b] WHEN 'ln' THEN p_node END, results[b], preimages[b], p_principal[b], p_client[b], CASE WHEN kinds[b] <> 'ln' THEN clock_timestamp() END
      FROM unnest(begun) AS b;
  history := ARRAY(
    SELECT ROW(p_id[b], p_wallet[b], 'SEND', CASE kinds[b] WHEN 'ln' THEN 'PENDING' ELSE 'SUCCESS' END,
               CASE kinds[b] WHEN 'ln' THEN -((p_amount[b] + p_fee_limit[b] + 999) / 1000 * 1000) ELSE -p_amount[b] END, CASE kinds[b] WHEN 'ln' THEN p_fee_limit[b] ELSE 0 END,
               p_memo[b], i.external_id, CASE kinds[b] WHEN 'intraledger' THEN 'intraledger' ELSE 'ln' END, CASE kinds[b] WHEN 'ln' THEN 'ln' ELSE 'intraledger' END,
               p_hash[b], p_request[b], preimages[b], payees[b], payee_names[b], NULL, p_cents_per_btc, false)::history_row
      FROM unnest(begun) AS b LEFT JOIN invoice i ON kinds[b] = 'internal' AND i.payment_hash = p_hash[b]
    UNION ALL
    -- The memo of a wallet-to-wallet payment is for both; that of an invoice's payer is the payer's own note.
    SELECT ROW(gen_random_uuid(), payees[b], 'RECEIVE', 'SUCCESS', p_amount[b], 0, CASE kinds[b] WHEN 'intraledger' THEN p_memo[b] ELSE i.memo END, i.external_id,
               CASE kinds[b] WHEN 'intraledger' THEN 'intraledger' ELSE 'ln' END, 'intraledger', p_hash[b], p_request[b], preimages[b], p_wallet[b], payer_names[b], NULL, p_cents_per_btc, i.by_owner)::history_row
      FROM unnest(begun) AS b LEFT JOIN invoice i ON i.payment_hash = p_hash[b] WHERE kinds[b] <> 'ln');
  PERFORM history_add(history);
  PERFORM invoice_mark_paid(paid, 'internal');
  RETURN QUERY SELECT * FROM unnest(results, about);
END $$;
