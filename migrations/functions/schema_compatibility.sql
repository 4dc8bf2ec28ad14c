-- An older release of Sluice than this does not start on this schema; docs/adr/0026 says when to raise it.
CREATE OR REPLACE FUNCTION schema_compatibility() RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT '0.4.0' $$;
