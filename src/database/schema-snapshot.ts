/** Columns left out of a relation's row: other facts cover them, or the server changes them by itself (statistics and hints). */
const ELSEWHERE = `ARRAY['relnatts', 'relchecks', 'relpages', 'reltuples', 'relallvisible', 'relallfrozen', 'relfrozenxid', 'relminmxid',
                         'relhasindex', 'relhastriggers', 'relhasrules']`;

/**
 * The whole database but one schema ($1), one fact a row: the kind of object, its name (of a part: the name of the whole), which part
 * of it, and a fingerprint. Two snapshots taken in one transaction show what that transaction has changed, rows included. The order is
 * fixed, so that the same change is always reported by the same fact; an installed extension comes before the functions it brings.
 *
 * A name outside the application's own schema ($2) has its schema before it. Array and row types, TOAST tables and the triggers behind
 * foreign keys follow from what is listed. Event triggers and installed extensions have an empty name, because they belong to the whole
 * database.
 */
export const SCHEMA_SNAPSHOT = `
  WITH space AS (
    SELECT oid, nspname, n::text AS content, CASE WHEN nspname = $2 THEN '' ELSE nspname || '.' END AS prefix
      FROM pg_namespace n WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' AND nspname <> $1),
  relation AS (
    SELECT c.oid, prefix || relname AS name, relkind, to_jsonb(c) - ${ELSEWHERE} AS content,
           CASE relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'view' WHEN 'S' THEN 'sequence' WHEN 'c' THEN 'type' ELSE 'table' END AS kind
      FROM pg_class c JOIN space ON space.oid = relnamespace),
  fact (kind, name, detail, content) AS (
    SELECT 'schema', nspname, '', content FROM space
    UNION ALL SELECT 'setting', '', coalesce(setrole::regrole::text, 'every role'), s::text FROM pg_db_role_setting s
               WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
    UNION ALL SELECT 'default privilege', '', concat_ws(' ', defaclrole::regrole, defaclobjtype), d::text FROM pg_default_acl d
    UNION ALL SELECT 'publication', '', pubname, p::text FROM pg_publication p
    UNION ALL SELECT 'cast', '', format_type(castsource, NULL) || ' to ' || format_type(casttarget, NULL), c::text FROM pg_cast c
    UNION ALL SELECT 'operator', prefix || oprname, o.oid::text, o::text FROM pg_operator o JOIN space ON space.oid = oprnamespace
    UNION ALL SELECT 'statistics object', prefix || stxname, '', x::text FROM pg_statistic_ext x JOIN space ON space.oid = stxnamespace
    UNION ALL SELECT 'domain', contypid::regtype::text, conname, k::text FROM pg_constraint k JOIN space ON space.oid = connamespace WHERE contypid <> 0
    UNION ALL SELECT 'installed extension', '', extname, extversion FROM pg_extension
    UNION ALL SELECT 'event trigger', '', evtname, t::text FROM pg_event_trigger t
    UNION ALL SELECT kind, name, '', content::text FROM relation WHERE relkind NOT IN ('i', 'I')
    UNION ALL SELECT kind, name, 'column ' || attname, a::text FROM pg_attribute a JOIN relation r ON r.oid = attrelid
               WHERE attnum > 0 AND relkind NOT IN ('i', 'I')
    UNION ALL SELECT kind, name, 'default ' || adnum, d::text FROM pg_attrdef d JOIN relation r ON r.oid = adrelid
    UNION ALL SELECT kind, name, 'constraint ' || conname, k::text FROM pg_constraint k JOIN relation r ON r.oid = conrelid
    UNION ALL SELECT r.kind, r.name, 'index ' || i.name, x::text || i.content
                FROM pg_index x JOIN relation r ON r.oid = indrelid JOIN relation i ON i.oid = indexrelid
    UNION ALL SELECT kind, name, 'trigger ' || tgname, t::text FROM pg_trigger t JOIN relation r ON r.oid = tgrelid WHERE NOT tgisinternal
    UNION ALL SELECT kind, name, 'rule ' || rulename, w::text FROM pg_rewrite w JOIN relation r ON r.oid = ev_class
    UNION ALL SELECT kind, name, 'policy ' || polname, p::text FROM pg_policy p JOIN relation r ON r.oid = polrelid
    UNION ALL SELECT kind, name, 'child ' || inhrelid, i::text FROM pg_inherits i JOIN relation r ON r.oid = inhparent
    UNION ALL SELECT kind, name, 'rows', concat_ws(' ', n_tup_ins, n_tup_upd, n_tup_del)
                FROM pg_stat_xact_user_tables JOIN relation r ON r.oid = relid
    UNION ALL SELECT 'function', prefix || proname, pg_get_function_identity_arguments(p.oid), p::text
                FROM pg_proc p JOIN space ON space.oid = pronamespace
    UNION ALL SELECT 'type', prefix || typname, '', t::text FROM pg_type t JOIN space ON space.oid = typnamespace
               WHERE typrelid = 0 AND typcategory <> 'A'
    UNION ALL SELECT 'type', prefix || typname, 'value ' || enumlabel, e::text
                FROM pg_enum e JOIN pg_type t ON t.oid = enumtypid JOIN space ON space.oid = typnamespace)
  SELECT kind, name, detail, md5(content) AS content FROM fact
   ORDER BY name <> '', kind COLLATE "C", name COLLATE "C", detail COLLATE "C"`;
