-- The oldest release of Sluice that may still run on this schema: an older one does not start. A release raises it when
-- it changes what the releases before it rely on; docs/adr/0026 says when.
CREATE OR REPLACE FUNCTION schema_compatibility() RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT '0.2.0' $$;
