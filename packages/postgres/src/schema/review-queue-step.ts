/** The step that creates the queue of due reviews. Times are epoch milliseconds, as the port has them; the clock is the server's. */
import type { SchemaNames } from './schema-name.ts'

/** The time of the server, in epoch milliseconds. Changes within a statement, so functions read it once. */
export const SERVER_TIME = '(extract(epoch from clock_timestamp()) * 1000)::float8'

/**
 * `home`: the owner's folder, '' for a storage with a single home. `owner`: the owner as JSON, which keeps what a folder's name cannot.
 * `added_due_at`: the earliest due time added since the claim. An entry whose `fence` is set is claimed, until `lease_until`.
 */
const table = ({ reviews }: SchemaNames): string => `
create table if not exists ${reviews} (
  home text collate "C" not null,
  kind text collate "C" not null,
  owner text,
  due_at float8 not null,
  attempts integer not null default 0,
  fence bigint,
  lease_until float8,
  added_due_at float8,
  added_at timestamptz not null default now(),
  primary key (home, kind)
)`

/** Entries that one query of a claim looks at. A fixed number, so that the server reads them by the index. */
const BATCH = 100

/**
 * Takes what is due, the oldest first. An owner is locked until the transaction ends and only then checked for a living claim: each query
 * of the function sees what others committed before it, so two claims of one owner cannot miss each other.
 */
const claimReviews = ({ claimReviews: name, reviews, fences }: SchemaNames): string => `
create or replace function ${name}(most bigint, lease_ms float8)
returns table (claimed_owner text, claimed_kind text, claimed_due_at float8, claimed_attempts integer, claimed_fence bigint)
language plpgsql set search_path = pg_catalog as $body$
declare
  tree bigint := '${reviews}'::regclass::oid::bigint;
  present float8 := ${SERVER_TIME};
  last_due_at float8 := '-infinity';
  last_home text := '';
  last_kind text := '';
  looked integer;
  taken bigint := 0;
  place tid;
  entry record;
begin
  loop
    looked := 0;
    for entry in
      select due_at, home, kind from ${reviews}
        where due_at <= present and (fence is null or lease_until <= present) and (due_at, home, kind) > (last_due_at, last_home, last_kind)
        order by due_at, home, kind limit ${BATCH}
    loop
      looked := looked + 1;
      last_due_at := entry.due_at;
      last_home := entry.home;
      last_kind := entry.kind;
      continue when not pg_try_advisory_xact_lock(hashtextextended(entry.home, tree));
      continue when exists (select from ${reviews} where home = entry.home and fence is not null and lease_until > present);
      select ctid into place from ${reviews}
        where home = entry.home and kind = entry.kind and due_at <= present and (fence is null or lease_until <= present)
        for update skip locked;
      continue when not found;
      update ${reviews}
        set fence = nextval('${fences}'), lease_until = ${SERVER_TIME} + lease_ms, attempts = attempts + 1, added_due_at = null
        where ctid = place
        returning owner, kind, due_at, attempts, fence
        into claimed_owner, claimed_kind, claimed_due_at, claimed_attempts, claimed_fence;
      return next;
      taken := taken + 1;
      if taken >= most then
        return;
      end if;
    end loop;
    exit when looked < ${BATCH};
  end loop;
end
$body$`

/** False if the claim was lost. `again_at`: null if the review is done. */
const endReview = ({ endReview: name, reviews }: SchemaNames): string => `
create or replace function ${name}(of_home text, of_kind text, of_fence bigint, again_at float8, has_failed boolean) returns boolean
language plpgsql set search_path = pg_catalog as $body$
declare
  entry record;
  next_due_at float8;
begin
  select added_due_at into entry from ${reviews} where home = of_home and kind = of_kind and fence = of_fence for update;
  if not found then
    return false;
  end if;
  next_due_at := case when has_failed then again_at else least(again_at, entry.added_due_at) end;
  if next_due_at is null then
    delete from ${reviews} where home = of_home and kind = of_kind;
  else
    update ${reviews}
      set due_at = next_due_at, attempts = case when has_failed then attempts else 0 end, fence = null, lease_until = null, added_due_at = null
      where home = of_home and kind = of_kind;
  end if;
  return true;
end
$body$`

/** A sequence is outside of transactions, so no fence comes twice, also after the entry was removed. */
export const createReviewQueue = (names: SchemaNames): readonly string[] => [
  table(names),
  `create index if not exists hermes_reviews_due on ${names.reviews} (due_at, home, kind)`,
  `create sequence if not exists ${names.fences}`,
  claimReviews(names),
  endReview(names),
]
