-- Drops all that is in a database, before a backup is restored.
--
-- Obstacles are dropped, but not the schema itself, which may have another owner. All names are collected before the
-- first drop, since dropping one object may drop others. Queries that read a table at the time have 30 s to finish.
SET lock_timeout = '30s';
SET client_min_messages = warning;
DO $$ DECLARE statement text; BEGIN
  FOREACH statement IN ARRAY (
    SELECT coalesce(array_agg(format('DROP %s IF EXISTS %s CASCADE', kind, name) ORDER BY turn), '{}') FROM (
      SELECT 1 AS turn, 'TABLE' AS kind, oid::regclass::text AS name, oid FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
      UNION ALL SELECT 2, 'ROUTINE', oid::regprocedure::text, oid FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace
      UNION ALL SELECT 3, 'TYPE', oid::regtype::text, oid FROM pg_type
        WHERE typnamespace = 'public'::regnamespace
          AND (typtype IN ('e', 'd') OR typrelid IN (SELECT oid FROM pg_class WHERE relkind = 'c'))
      UNION ALL SELECT 4, 'SEQUENCE', oid::regclass::text, oid FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'S'
    ) AS thing
    WHERE NOT EXISTS (SELECT FROM pg_depend WHERE objid = thing.oid AND deptype = 'e')
  ) LOOP EXECUTE statement; END LOOP;
END $$;
