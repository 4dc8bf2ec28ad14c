-- Two system accounts stand between bitcoin and dollars: every exchange moves as four legs, so each currency of a
-- journal sums to zero. A price is US cents for one bitcoin, pinned when the money is held or the invoice is created.
-- Customers buy at the ask, sell at the bid, get cents rounded down and pay them rounded up: an amount exchanged to and
-- fro does not grow.

-- An amount beyond all bounds must fail its own operation, by the ledger's check, and not the batch.
CREATE OR REPLACE FUNCTION dealer_bounded(p_amount numeric) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  -- least() would ignore NULL: no price
  SELECT CASE WHEN p_amount > ledger_max_amount() THEN ledger_max_amount() + 1 ELSE p_amount::bigint END
$$;

-- div() is exact, where / rounds.
CREATE OR REPLACE FUNCTION dealer_cents_down(p_msat numeric, p_price bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT dealer_bounded(div(p_msat * p_price, 100000000000))
$$;

CREATE OR REPLACE FUNCTION dealer_cents_up(p_msat numeric, p_price bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT dealer_bounded(div(p_msat * p_price + 99999999999, 100000000000))
$$;

CREATE OR REPLACE FUNCTION dealer_msat_up(p_cents numeric, p_price bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT dealer_bounded(div(p_cents * 100000000000 + p_price - 1, p_price))
$$;

-- An invoice of a wallet in dollars brings its cents for its amount, and for another amount the worth at its price.
-- More than twice the amount, which no payer has to send (BOLT 4), brings 0: otherwise an invoice of a cent would
-- promise a price for any amount.
CREATE OR REPLACE FUNCTION dealer_bill_cents(p_msat numeric, p_bill_msat bigint, p_bill_cents bigint, p_price bigint)
RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_msat = p_bill_msat THEN p_bill_cents WHEN p_msat > 2 * p_bill_msat THEN 0
    ELSE dealer_cents_down(p_msat, p_price) END
$$;

CREATE OR REPLACE FUNCTION dealer_terms_of(p_payer text, p_payee text, p_msat bigint, p_hold_msat bigint,
  p_order dealer_order, p_bill_msat bigint, p_bill_cents bigint, p_bill_price bigint)
RETURNS dealer_terms LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  cents bigint;
BEGIN
  IF p_payer = 'BTC' THEN
    cents := dealer_cents_down(p_msat, p_order.bid);
    RETURN ROW(p_msat, p_msat, cents, p_order.bid, cents)::dealer_terms;
  ELSIF p_payee = 'USD' THEN
    cents := coalesce(p_bill_cents, p_order.amount_cents);
    RETURN ROW(cents, cents, cents, NULL, 0)::dealer_terms;
  END IF;
  -- p_hold_msat includes the fee limit. The part of the cents that is too little for a satoshi pays for the fee.
  cents := coalesce(p_order.amount_cents, dealer_cents_up(p_msat, p_order.ask));
  RETURN ROW(cents, greatest(cents, dealer_cents_up(p_hold_msat, p_order.ask)), p_msat, p_order.ask, 0)::dealer_terms;
END $$;

-- A wallet in bitcoin of this server pays an invoice of ours into dollars, which was made at p_bill_price: it brings
-- its cents (null: the payer chooses p_msat). An invoice is no option: if its price is better for the payer than the
-- middle of the prices of now, it is paid at the bid of now. p_is_own: the account converts, at the bid of now in any
-- case. A bid of 0: there is no price. Null: none is stated, and the invoice keeps its own.
CREATE OR REPLACE FUNCTION dealer_bill_terms(p_msat bigint, p_order dealer_order, p_bill_cents bigint,
  p_bill_price bigint, p_is_own boolean) RETURNS dealer_terms LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  price CONSTANT bigint := CASE WHEN p_order.bid IS NULL THEN p_bill_price
    WHEN p_is_own OR 2 * p_bill_price > p_order.bid + p_order.ask THEN nullif(p_order.bid, 0) ELSE p_bill_price END;
  cents CONSTANT bigint := coalesce(p_bill_cents, dealer_cents_down(p_msat, price));
  msat CONSTANT bigint := CASE WHEN p_bill_cents IS NULL OR price = p_bill_price THEN p_msat
    ELSE msat_rounded_up(dealer_msat_up(cents, price)) END;
BEGIN
  RETURN ROW(msat, msat, cents, price, cents)::dealer_terms;
END $$;

-- What an invoice brings beside its amount has the price of now, where that is lower: only its amount was promised.
-- p_cents: at the invoice's price; null: it is credited in bitcoin.
CREATE OR REPLACE FUNCTION dealer_bill_cents_now(p_cents bigint, p_msat numeric, p_bill_msat bigint,
  p_bill_cents bigint, p_bid bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_cents IS NULL OR p_bid IS NULL OR p_msat = p_bill_msat THEN p_cents
    ELSE least(p_cents, greatest(1, dealer_cents_down(p_msat, p_bid),
      CASE WHEN p_msat > p_bill_msat THEN p_bill_cents END)) END
$$;

-- p_msat go from the dealer to p_btc, and p_cents from p_usd to the dealer; below zero, the other way.
CREATE OR REPLACE FUNCTION dealer_legs(p_btc bigint, p_msat bigint, p_usd bigint, p_cents bigint) RETURNS ledger_leg[]
LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY[ROW(p_btc, p_msat), ROW(ledger_system_account('dealerBtc'), -p_msat), ROW(p_usd, -p_cents),
    ROW(ledger_system_account('dealerUsd'), p_cents)]::ledger_leg[]
$$;

CREATE OR REPLACE FUNCTION dealer_charge(t dealer_terms, p_spent bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT least(t.debit, greatest(t.amount, dealer_cents_up(p_spent, t.price)))
$$;

-- p_covered: the hold was worth that much; a fee above the limit is the operator's loss.
CREATE OR REPLACE FUNCTION dealer_capture_legs(p_payer bigint, p_cents bigint, p_spent bigint, p_covered bigint)
RETURNS ledger_leg[] LANGUAGE sql IMMUTABLE AS $$
  SELECT dealer_legs(ledger_system_account('lightning'), p_spent, p_payer, p_cents)
      || CASE WHEN p_covered < p_spent
              THEN ARRAY[ROW(ledger_system_account('loss'), p_covered - p_spent),
                ROW(ledger_system_account('dealerBtc'), p_spent - p_covered)]::ledger_leg[] END
$$;
