/**
 * The step that creates the index over past sessions. Words are not stored: an item holds a token for each of its terms, made of the home
 * and the term, so that the list of a token is short however many homes there are. Who changes a home holds its row until the end.
 */
import type { SchemaNames } from './schema-name.ts'

const tables = ({ recallHomes, recallItems, recallTerms, recallVectors }: SchemaNames): readonly string[] => [
  // `terms_version`: what the items were derived with, or are being derived with. `items` and `length` are sums over the items.
  `
create table if not exists ${recallHomes} (
  no bigint generated always as identity primary key,
  home text collate "C" not null unique,
  terms_version integer not null,
  items bigint not null default 0,
  length float8 not null default 0
)`,
  // `counts`: how often the item has the term of each token. `said` and `answer` are moved out of the row first if it is long.
  `
create table if not exists ${recallItems} (
  no bigint generated always as identity primary key,
  home_no bigint not null,
  at float8 not null,
  automated boolean not null,
  kind text collate "C" not null,
  id text collate "C" not null,
  source text collate "C" not null,
  terms_version integer not null,
  length integer not null,
  tokens integer[] not null,
  counts smallint[] not null,
  said text not null,
  answer text not null,
  unique (home_no, kind, id)
)`,
  `alter table ${recallItems} alter column tokens set storage main, alter column counts set storage main`,
  `create index if not exists hermes_recall_items_tokens on ${recallItems} using gin (tokens) with (fastupdate = off)`,
  `create index if not exists hermes_recall_items_source on ${recallItems} (home_no, source, at)`,
  `create index if not exists hermes_recall_items_at on ${recallItems} (home_no, at)`,
  `create index if not exists hermes_recall_items_version on ${recallItems} (home_no, terms_version)`,
  // How many items have the token.
  `
create table if not exists ${recallTerms} (
  home_no bigint not null,
  token integer not null,
  items bigint not null,
  primary key (home_no, token)
) with (fillfactor = 80)`,
  // `signs`: one bit for each number of the vector, for a first choice that reads no vector.
  `
create table if not exists ${recallVectors} (
  no bigint primary key,
  home_no bigint not null,
  model text not null,
  dimensions integer not null,
  signs bit varying not null,
  vector bytea not null
)`,
  `alter table ${recallVectors} alter column vector set storage external`,
  `create index if not exists hermes_recall_vectors_home on ${recallVectors} (home_no, model, dimensions)`,
]

/** The same on every server. Two terms of a home rarely share a token: one in four billion pairs. */
const tokenFunction = ({ recallToken: name }: SchemaNames): string => `
create or replace function ${name}(of_home bigint, term text) returns integer language sql immutable parallel safe
return (pg_catalog.hashtextextended(term collate "C", of_home) >> 32)::integer`

/** Adds `sign` times the number of items with each token. In one order, although only one caller at a time changes a home. */
const countTokens = ({ recallTerms }: SchemaNames, items: string, sign: 1 | -1): string =>
  sign === 1
    ? `
  insert into ${recallTerms} as known (home_no, token, items)
    select place.no, token, count(*) from ${items} cross join lateral unnest(tokens) as token group by token order by token
    on conflict (home_no, token) do update set items = known.items + excluded.items;`
    : `
  update ${recallTerms} as known set items = known.items - lost.items
    from (select token, count(*) as items from ${items} cross join lateral unnest(tokens) as token group by token) as lost
    where known.home_no = place.no and known.token = lost.token;
  delete from ${recallTerms} as known
    where known.home_no = place.no and known.items <= 0
      and known.token in (select token from ${items} cross join lateral unnest(tokens) as token);`

/** Terms come as an object of counts. */
const columnsOf = (recallToken: string, entry: string): string => `
      select coalesce(array_agg(${recallToken}(place.no, term.key) order by term.key), '{}') as tokens,
        coalesce(array_agg(least(term.value::integer, 32767)::smallint order by term.key), '{}') as counts,
        coalesce(sum(term.value::integer), 0)::integer as length
      from jsonb_each_text(${entry}->'terms') as term`

/** From step 2 on, which adds the column `project`. Creates the home if it has no row. The loop ends when the row that was found is not erased by another. */
const addItems = (names: SchemaNames): string => `
create or replace function ${names.recallAdd}(of_home text, version integer, entries text) returns integer
language plpgsql set search_path = pg_catalog as $body$
declare
  place record;
  added bigint[];
begin
  loop
    insert into ${names.recallHomes} (home, terms_version) values (of_home, version) on conflict (home) do nothing;
    select no into place from ${names.recallHomes} where home = of_home for update;
    exit when found;
  end loop;
  with made as (
    insert into ${names.recallItems}
      (home_no, at, automated, kind, id, source, project, terms_version, length, tokens, counts, said, answer)
    select place.no, (entry->>'at')::float8, (entry->>'automated')::boolean, entry->>'kind', entry->>'id', entry->>'source', entry->>'project', version,
        derived.length, derived.tokens, derived.counts, entry->>'user', entry->>'answer'
      from jsonb_array_elements(entries::jsonb) as entry cross join lateral (${columnsOf(names.recallToken, 'entry')}
      ) as derived
    on conflict (home_no, kind, id) do nothing
    returning no
  ) select coalesce(array_agg(no), '{}') into added from made;
  ${countTokens(names, `(select tokens from ${names.recallItems} where no = any(added)) as item`, 1)}
  update ${names.recallHomes} set items = items + cardinality(added),
      length = length + (select coalesce(sum(item.length), 0) from ${names.recallItems} as item where item.no = any(added))
    where no = place.no;
  return cardinality(added);
end
$body$`

const removeItems = (names: SchemaNames): string => `
create or replace function ${names.recallRemove}(of_home text, numbers text) returns integer
language plpgsql set search_path = pg_catalog as $body$
declare
  place record;
  gone bigint[];
begin
  select no into place from ${names.recallHomes} where home = of_home for update;
  if not found then
    return 0;
  end if;
  select coalesce(array_agg(no), '{}') into gone from ${names.recallItems}
    where home_no = place.no and no = any(string_to_array(numbers, ',')::bigint[]);
  ${countTokens(names, `(select tokens from ${names.recallItems} where no = any(gone)) as item`, -1)}
  update ${names.recallHomes} set items = items - cardinality(gone),
      length = length - (select coalesce(sum(item.length), 0) from ${names.recallItems} as item where item.no = any(gone))
    where no = place.no;
  delete from ${names.recallVectors} where no = any(gone);
  delete from ${names.recallItems} where no = any(gone);
  return cardinality(gone);
end
$body$`

const eraseHome = (names: SchemaNames): string => `
create or replace function ${names.recallErase}(of_home text) returns bigint
language plpgsql set search_path = pg_catalog as $body$
declare
  place record;
  gone bigint;
begin
  select no into place from ${names.recallHomes} where home = of_home for update;
  if not found then
    return 0;
  end if;
  delete from ${names.recallVectors} where home_no = place.no;
  delete from ${names.recallTerms} where home_no = place.no;
  delete from ${names.recallItems} where home_no = place.no;
  get diagnostics gone = row_count;
  delete from ${names.recallHomes} where no = place.no;
  return gone;
end
$body$`

/** Derives items anew, each from terms that the caller has made of it. */
const deriveItems = (names: SchemaNames): string => `
create or replace function ${names.recallDerive}(of_home text, version integer, entries text) returns integer
language plpgsql set search_path = pg_catalog as $body$
declare
  place record;
  changed bigint[];
begin
  select no into place from ${names.recallHomes} where home = of_home for update;
  if not found then
    return 0;
  end if;
  select coalesce(array_agg(no), '{}') into changed from ${names.recallItems}
    where home_no = place.no and no in (select (entry->>'no')::bigint from jsonb_array_elements(entries::jsonb) as entry);
  ${countTokens(names, `(select tokens from ${names.recallItems} where no = any(changed)) as item`, -1)}
  update ${names.recallHomes}
    set length = length - (select coalesce(sum(item.length), 0) from ${names.recallItems} as item where item.no = any(changed))
    where no = place.no;
  update ${names.recallItems} as item
    set terms_version = version, tokens = derived.tokens, counts = derived.counts, length = derived.length
    from jsonb_array_elements(entries::jsonb) as entry cross join lateral (${columnsOf(names.recallToken, 'entry')}
    ) as derived
    where item.no = (entry->>'no')::bigint and item.no = any(changed);
  ${countTokens(names, `(select tokens from ${names.recallItems} where no = any(changed)) as item`, 1)}
  update ${names.recallHomes}
    set length = length + (select coalesce(sum(item.length), 0) from ${names.recallItems} as item where item.no = any(changed))
    where no = place.no;
  return cardinality(changed);
end
$body$`

/** Counts tokens and items anew, and notes the version. */
const recountHome = (names: SchemaNames): string => `
create or replace function ${names.recallRecount}(of_home text, version integer) returns void
language plpgsql set search_path = pg_catalog as $body$
declare
  place record;
begin
  select no into place from ${names.recallHomes} where home = of_home for update;
  if not found then
    return;
  end if;
  delete from ${names.recallTerms} where home_no = place.no;
  ${countTokens(names, `(select tokens from ${names.recallItems} where home_no = place.no) as item`, 1)}
  update ${names.recallHomes} as home set terms_version = version, items = sums.items, length = sums.length
    from (select count(*) as items, coalesce(sum(item.length), 0) as length from ${names.recallItems} as item where item.home_no = place.no) as sums
    where home.no = place.no;
end
$body$`

export const createRecall = (names: SchemaNames): readonly string[] => [
  ...tables(names),
  tokenFunction(names),
  removeItems(names),
  eraseHome(names),
  deriveItems(names),
  recountHome(names),
]

/** `project`: null for a turn of no project. Who still calls the function as before names none. */
export const addProjects = (names: SchemaNames): readonly string[] => [
  `alter table ${names.recallItems} add column if not exists project text collate "C"`,
  addItems(names),
]

/** An item has a vector for each passage; one without any has a row of no length, so that it is not missing. Those of before were made of whole turns. */
export const addPassages = ({ recallVectors }: SchemaNames): readonly string[] => [
  `delete from ${recallVectors}`,
  `alter table ${recallVectors} add column if not exists part smallint not null default 0, drop constraint if exists hermes_recall_vectors_pkey`,
  `alter table ${recallVectors} add constraint hermes_recall_vectors_pkey primary key (no, part)`,
]
