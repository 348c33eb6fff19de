/**
 * The step that creates the documents. An update is one call of a function, which is one transaction: it takes the lock of the home, looks whether what
 * the plan was made of is still so, and changes the documents. No transaction is open between two round trips.
 */
import type { SchemaNames } from './schema-name.ts'

/** What the functions answer with: rows of these columns, whose meaning is that of `kind`. */
const COLUMNS = 'kind text, path text, bytes bytea, executable boolean, version text, size text'

/** `version`: the id of the update that wrote or moved the row last, so no path has the same version twice with different content. */
const documents = ({ documents: name }: SchemaNames): string => `
create table if not exists ${name} (
  path text collate "C" primary key,
  bytes bytea not null,
  executable boolean not null default false,
  version uuid not null,
  updated_at timestamptz not null default now()
)`

/** Updates that have ended, so that one whose answer was lost can be asked for again. `refusal`: why nothing was changed. */
const updates = ({ updates: name }: SchemaNames): readonly string[] => [
  `
create table if not exists ${name} (
  id uuid primary key,
  attempt integer not null,
  refusal text,
  at timestamptz not null default now()
)`,
  `create index if not exists hermes_updates_at on ${name} (at)`,
]

/** No path of at most 255 bytes to a segment is at or after it. '0' follows '/'. */
const END = 'repeat(chr(1114111), 64)'
const rangeOf = (folder: string): string =>
  `case ${folder} when '' then '' else ${folder} || '/' end as low, case ${folder} when '' then ${END} else ${folder} || '0' end as high`

const isBelow = (folder: string): string => `path >= ${folder} || '/' and path < ${folder} || '0'`

/** The documents above a path, of which it would have to be a folder. */
const foldersOf = (path: string): string => `
      select array_to_string((string_to_array(${path}, '/'))[1:depth], '/')
      from generate_series(1, cardinality(string_to_array(${path}, '/')) - 1) as depth`

/** Bytes from which on a document is read only for a plan that asks for it: most of those that grow are only appended to. */
const LARGE = 65_536

/**
 * The named documents, and what is below the named folders, without bytes. In one statement, which sees one state. Of large documents only those in `whole`
 * have bytes; null: all have.
 */
const readCut = ({ readCut: name, documents }: SchemaNames): string => `
create or replace function ${name}(named text, folders text, whole text) returns table (${COLUMNS})
language sql stable set search_path = pg_catalog as $body$
  select 'time', null, null::bytea, null::boolean, null, (extract(epoch from clock_timestamp()) * 1000)::bigint::text
  union all
  select 'document', path, case when octet_length(bytes) < ${LARGE} or whole is null or jsonb_exists(whole::jsonb, path) then bytes end, executable,
      version::text, null from ${documents}
    where path = any(array(select jsonb_array_elements_text(named::jsonb)))
  union all
  select 'info', path, null, null, version::text, octet_length(bytes)::text
    from (select ${rangeOf('folder')} from jsonb_array_elements_text(folders::jsonb) as folder offset 0) as place
    join ${documents} on path >= low and path < high
$body$`

/**
 * What a listing is compared by: the number of documents, and two sums over their versions. Another state of a folder has another version, or fewer of
 * one. `digestOf` in seen-cut.ts is the same.
 */
const DIGEST = `count(path)::text || ':' || coalesce(sum(('x' || left(version::text, 8))::bit(32)::bigint), 0)::text || ':' || coalesce(sum(('x' || right(version::text, 8))::bit(32)::bigint), 0)::text`

/** True if a document or a listing is no longer what the plan has seen. */
const isStale = ({ isStale: name, documents }: SchemaNames): string => `
create or replace function ${name}(seen jsonb) returns boolean
language sql volatile set search_path = pg_catalog as $body$
  select exists (
    select from jsonb_each_text(seen->'documents') as known left join ${documents} as now on now.path = known.key
      where now.version::text is distinct from known.value
  ) or exists (
    select from (select value as digest, ${rangeOf('key')} from jsonb_each_text(seen->'folders') offset 0) as place
      where digest is distinct from (select ${DIGEST} from ${documents} where path >= low and path < high)
  )
$body$`

/** Does the changes of a plan, and returns why they cannot be done, if so; then the caller undoes them. */
const change = ({ change: name, documents }: SchemaNames): string => `
create or replace function ${name}(update_id uuid, changes jsonb, content bytea) returns text
language plpgsql set search_path = pg_catalog as $body$
declare
  move jsonb;
  source text;
  target text;
  found_at text;
  problem text;
begin
  for move in select value from jsonb_array_elements(changes->'moves') loop
    source := move->>0;
    target := move->>1;
    if not exists (select from ${documents} where path = source or ${isBelow('source')}) then
      return jsonb_build_array('not_found', source)::text;
    end if;
    if exists (select from ${documents} where path = target or ${isBelow('target')}) then
      return jsonb_build_array('occupied', target)::text;
    end if;
    select path into found_at from ${documents} where path in (${foldersOf('target')}) limit 1;
    if found then
      return jsonb_build_array('below', target, found_at)::text;
    end if;
    update ${documents} set path = target || substr(path, length(source) + 1), version = update_id, updated_at = now()
      where path = source or ${isBelow('source')};
    select path into found_at from ${documents} where ${isBelow('target')} and octet_length(path) > 1024 limit 1;
    if found then
      return jsonb_build_array('long', found_at)::text;
    end if;
  end loop;
  delete from ${documents} where path = any(array(select jsonb_array_elements_text(changes->'removals')));
  insert into ${documents} as present (path, bytes, executable, version)
    select put->>0, substring(content from (put->>1)::integer for (put->>2)::integer), coalesce((put->>3)::boolean, before.executable, false), update_id
      from jsonb_array_elements(changes->'puts') as put left join ${documents} as before on before.path = put->>0
    on conflict (path) do update
      set bytes = excluded.bytes, executable = excluded.executable, version = excluded.version, updated_at = now();
  insert into ${documents} as present (path, bytes, executable, version)
    select more->>0, coalesce(before.bytes, '') || substring(content from (more->>1)::integer for (more->>2)::integer),
        coalesce(before.executable, false), update_id
      from jsonb_array_elements(changes->'appends') as more left join ${documents} as before on before.path = more->>0
    on conflict (path) do update set bytes = excluded.bytes, version = excluded.version, updated_at = now();
  with written as (
    select value->>0 as path from jsonb_array_elements((changes->'puts') || (changes->'appends'))
  ) select coalesce(
    (select jsonb_build_array('folder', written.path)::text from written
      where exists (select from ${documents} as other where other.path >= written.path || '/' and other.path < written.path || '0') limit 1),
    (select jsonb_build_array('below', written.path, other.path)::text from written
      join ${documents} as other on other.path in (${foldersOf('written.path')}) limit 1),
    (select jsonb_build_array('large', written.path, octet_length(now.bytes))::text from written
      join ${documents} as now on now.path = written.path where octet_length(now.bytes) > (changes->>'most')::bigint limit 1)
  ) into problem;
  return problem;
end
$body$`

/**
 * Updates within one home exclude each other by its lock, and share that of the tree; any other has the lock of the tree alone. The locks end with the
 * transaction. Each statement of the function sees what others committed before it, so it asks for 'read committed'.
 */
const update = (names: SchemaNames): string => `
create or replace function ${names.update}(update_id uuid, this_attempt integer, request text, content bytea) returns table (${COLUMNS})
language plpgsql set search_path = pg_catalog as $body$
#variable_conflict use_column
declare
  asked jsonb := request::jsonb;
  tree bigint := '${names.documents}'::regclass::oid::bigint;
  earlier record;
  problem text;
begin
  if current_setting('transaction_isolation') not like 'read %' then
    kind := 'isolation';
    return next;
    return;
  end if;
  perform set_config('lock_timeout', asked->>'waitMs', true);
  if not (asked->>'durable')::boolean then
    perform set_config('synchronous_commit', 'off', true);
  end if;
  if asked->>'home' = '' then
    perform pg_advisory_xact_lock(hashtextextended('', tree));
  else
    perform pg_advisory_xact_lock_shared(hashtextextended('', tree));
    perform pg_advisory_xact_lock(hashtextextended(asked->>'home', tree));
  end if;
  select attempt, refusal into earlier from ${names.updates} where id = update_id;
  if found then
    kind := case when earlier.refusal is null then 'done' else 'refused' end;
    path := earlier.refusal;
    size := earlier.attempt::text;
    return next;
    return;
  end if;
  if extract(epoch from clock_timestamp()) * 1000 > (asked->>'until')::float8 then
    kind := 'late';
    return next;
    return;
  end if;
  if ${names.isStale}(asked->'seen') then
    kind := 'stale';
    return next;
    return query select * from ${names.readCut}(asked->>'named', asked->>'folders', asked->>'whole');
    return;
  end if;
  begin
    problem := ${names.change}(update_id, asked->'changes', content);
    if problem is not null then
      raise exception sqlstate 'HM000';
    end if;
  exception when sqlstate 'HM000' then
    null;
  end;
  insert into ${names.updates} (id, attempt, refusal) values (update_id, this_attempt, problem);
  if get_byte(uuid_send(update_id), 0) < 16 then
    delete from ${names.updates} where id in (
      select id from ${names.updates} where at < now() - interval '1 hour' order by at limit 200 for update skip locked
    );
  end if;
  kind := case when problem is null then 'done' else 'refused' end;
  path := problem;
  size := this_attempt::text;
  return next;
end
$body$`

export const createDocuments = (names: SchemaNames): readonly string[] => [
  documents(names),
  ...updates(names),
  readCut(names),
  isStale(names),
  change(names),
  update(names),
]
