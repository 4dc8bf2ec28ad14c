-- It keeps each price for 8 days, one of four hours for 32 days, one of a day for five years: about 3,200 rows.
CREATE OR REPLACE FUNCTION price_record(p_cents_per_btc bigint, p_rates jsonb, p_quoted_at timestamptz,
  p_expires_at timestamptz) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  origin CONSTANT timestamptz := 'epoch';
  present CONSTANT timestamptz := clock_timestamp();
BEGIN
  IF p_rates IS NOT NULL THEN
    INSERT INTO price_rate AS r (rates, quoted_at, expires_at) VALUES (p_rates, p_quoted_at, p_expires_at)
      ON CONFLICT (id) DO UPDATE
        SET rates = excluded.rates, quoted_at = excluded.quoted_at, expires_at = excluded.expires_at
        WHERE (r.quoted_at, r.expires_at) < (excluded.quoted_at, excluded.expires_at) OR r.expires_at <= present
          OR r.quoted_at > present + interval '1 minute';  -- the clock was ahead
  END IF;
  INSERT INTO price_point (at, cents_per_btc) VALUES (date_bin('10 minutes', present, origin), p_cents_per_btc)
    ON CONFLICT (at) DO NOTHING;
  IF NOT FOUND THEN RETURN; END IF;
  DELETE FROM price_point p
   WHERE p.at < present - interval '1826 days'
      OR p.at < present - interval '8 days'
        AND EXISTS (SELECT 1 FROM price_point e WHERE e.at >= date_bin('4 hours', p.at, origin) AND e.at < p.at)
      OR p.at < present - interval '32 days'
        AND EXISTS (SELECT 1 FROM price_point e WHERE e.at >= date_bin('1 day', p.at, origin) AND e.at < p.at);
END $$;

-- Null: there is none to be trusted.
CREATE OR REPLACE FUNCTION price_rate_of(p_currency text) RETURNS bigint LANGUAGE sql STABLE
SET search_path FROM CURRENT AS $$
  SELECT (r.rates ->> p_currency)::bigint FROM price_rate r WHERE r.id = 1 AND r.expires_at > clock_timestamp()
$$;
