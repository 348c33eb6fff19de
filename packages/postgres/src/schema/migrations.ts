/**
 * The steps from an empty schema to the present one. They are only ever added to: a step that is released never changes, and a function
 * that must change gets a new name, so that an older version of the library goes on working on a newer schema.
 */
import { createRecall } from './recall-step.ts'
import { createReviewQueue } from './review-queue-step.ts'
import type { SchemaNames } from './schema-name.ts'

export interface Migration {
  readonly number: number
  /** The lowest number of a library that works on a schema with this step. A step that only adds keeps that of the step before. */
  readonly needs: number
  /** Can be run twice. */
  readonly statements: (names: SchemaNames) => readonly string[]
}

/** The number of earlier versions that a row remembers, so that a write whose commit was not confirmed can be found. */
export const TRAIL_LENGTH = 16

/**
 * Creating a document locks its path, and the folders it is in as shared; moving a folder locks both ends of the move. So nothing appears
 * below a folder while it moves. Updates need only the lock of their row. The locks end with the transaction.
 */
const lockPath = ({ lockPath: name, documents }: SchemaNames): string => `
create or replace function ${name}(target text) returns void language plpgsql set search_path = pg_catalog as $body$
declare
  parts text[] := string_to_array(target, '/');
  tree bigint := '${documents}'::regclass::oid::bigint;
  folder text := '';
begin
  for depth in 1 .. cardinality(parts) - 1 loop
    folder := folder || '/' || parts[depth];
    perform pg_advisory_xact_lock_shared(hashtextextended(folder, tree));
  end loop;
  perform pg_advisory_xact_lock(hashtextextended(folder || '/' || parts[cardinality(parts)], tree));
end
$body$`

/** The nearest document of which `target` would have to be a folder. */
const documentAbove = (documents: string, target: string): string => `
  select path into above from ${documents}
    where path in (
      select array_to_string((string_to_array(${target}, '/'))[1:depth], '/')
      from generate_series(1, cardinality(string_to_array(${target}, '/')) - 1) as depth
    )
    order by path limit 1;`

const isBelow = (target: string): string => `path >= ${target} || '/' and path < ${target} || '0'`

const createDocument = ({ createDocument: name, documents, lockPath: lock }: SchemaNames): string => `
create or replace function ${name}(target text, content bytea, may_execute boolean, new_version uuid, wait_ms integer) returns text
language plpgsql set search_path = pg_catalog as $body$
declare
  above text;
begin
  perform set_config('lock_timeout', wait_ms::text, true);
  perform ${lock}(target);
  if exists (select from ${documents} where ${isBelow('target')}) then
    return 'folder';
  end if;
  ${documentAbove(documents, 'target')}
  if above is not null then
    return 'below:' || above;
  end if;
  insert into ${documents} (path, bytes, executable, version) values (target, content, may_execute, new_version)
    on conflict (path) do nothing;
  return case when found then 'created' else 'exists' end;
end
$body$`

/** `move_id` marks what was moved, so that a move whose commit was not confirmed can be asked for again. */
const moveFolder = ({ moveFolder: name, documents, lockPath: lock }: SchemaNames): string => `
create or replace function ${name}(source text, target text, move_id uuid, wait_ms integer) returns text
language plpgsql set search_path = pg_catalog as $body$
declare
  above text;
begin
  perform set_config('lock_timeout', wait_ms::text, true);
  perform ${lock}(least(source collate "C", target collate "C"));
  perform ${lock}(greatest(source collate "C", target collate "C"));
  if exists (select from ${documents} where (path = target or ${isBelow('target')}) and moved = move_id) then
    return 'moved';
  end if;
  if not exists (select from ${documents} where path = source or ${isBelow('source')}) then
    return 'not_found';
  end if;
  if exists (select from ${documents} where path = target or ${isBelow('target')}) then
    return 'occupied';
  end if;
  ${documentAbove(documents, 'target')}
  if above is not null then
    return 'below:' || above;
  end if;
  update ${documents} set path = target || substr(path, length(source) + 1), moved = move_id, updated_at = now()
    where path = source or ${isBelow('source')};
  return 'moved';
end
$body$`

/** Tables that are created together and have steps of their own. */
export interface MigrationSet {
  /** The table of the steps that were taken. */
  readonly table: (names: SchemaNames) => string
  readonly steps: readonly Migration[]
  /** The options of `migrationSql` for it, beside the schema. */
  readonly options: { readonly recall?: true }
}

const STORAGE_STEPS: readonly Migration[] = [
  {
    number: 1,
    needs: 1,
    statements: (names) => [
      `
create table if not exists ${names.documents} (
  path text collate "C" primary key,
  bytes bytea not null,
  executable boolean not null default false,
  version uuid not null,
  trail uuid[] not null default '{}',
  moved uuid,
  updated_at timestamptz not null default now()
)`,
      lockPath(names),
      createDocument(names),
      moveFolder(names),
    ],
  },
  { number: 2, needs: 1, statements: createReviewQueue },
]

/** Documents and queued reviews. */
export const STORAGE_TABLES: MigrationSet = { table: ({ migrations }) => migrations, steps: STORAGE_STEPS, options: {} }

/** The index over past sessions; only for those who use it. */
export const RECALL_TABLES: MigrationSet = {
  table: ({ recallMigrations }) => recallMigrations,
  steps: [{ number: 1, needs: 1, statements: createRecall }],
  options: { recall: true },
}
