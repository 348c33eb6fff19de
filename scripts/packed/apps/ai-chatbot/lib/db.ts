/** The app's own tables, and what it asks of them. Hermes keeps its tables beside them, in a schema of its own. */
import { Pool } from 'pg'
import { once } from '@/lib/once.ts'
import type { ChatMessage, DocumentKind } from '@/lib/types.ts'

export const pool = once('pool', () => {
  const created = new Pool({ connectionString: process.env.POSTGRES_URL, max: 5 })
  created.on('error', (error) => console.error(`A database connection was lost: ${error.message}`))
  return created
})

const TABLES = `
  create table if not exists "User" (id uuid primary key default gen_random_uuid(), email varchar(64) not null);
  create table if not exists "Chat" (
    id uuid primary key, "createdAt" timestamptz not null default clock_timestamp(), title text not null,
    "userId" uuid not null references "User"(id), visibility varchar not null default 'private');
  create table if not exists "Message_v2" (
    id uuid primary key, "chatId" uuid not null references "Chat"(id), role varchar not null, parts json not null,
    attachments json not null default '[]', "createdAt" timestamptz not null default clock_timestamp());
  create table if not exists "Vote_v2" (
    "chatId" uuid references "Chat"(id), "messageId" uuid references "Message_v2"(id), "isUpvoted" boolean not null,
    primary key ("chatId", "messageId"));
  create table if not exists "Document" (
    id uuid not null, "createdAt" timestamptz not null default clock_timestamp(), title text not null, content text, kind varchar not null,
    "userId" uuid not null references "User"(id), primary key (id, "createdAt"));
  create table if not exists "Suggestion" (
    id uuid primary key default gen_random_uuid(), "documentId" uuid not null, "documentCreatedAt" timestamptz not null,
    "originalText" text not null, "suggestedText" text not null, description text, "userId" uuid not null references "User"(id),
    foreign key ("documentId", "documentCreatedAt") references "Document"(id, "createdAt"));
  create table if not exists "Stream" (
    id uuid primary key default gen_random_uuid(), "chatId" uuid not null references "Chat"(id),
    "createdAt" timestamptz not null default clock_timestamp());
`

const created = (): Promise<unknown> => once('tables', () => pool.query(TABLES))

const query = async <Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> => {
  await created()
  return (await pool.query<Row>(text, [...values])).rows
}

export interface User {
  readonly id: string
  readonly email: string
}

export const createUser = async (email: string): Promise<User | undefined> =>
  (await query<User>('insert into "User" (email) values ($1) returning id, email', [email]))[0]

export const getUser = async (id: string): Promise<User | undefined> =>
  (await query<User>('select id, email from "User" where id = $1', [id]))[0]

export interface Chat {
  readonly id: string
  readonly userId: string
  readonly title: string
}

export const getChat = async (id: string): Promise<Chat | undefined> =>
  (await query<Chat>('select id, "userId", title from "Chat" where id = $1', [id]))[0]

export const saveChat = (chat: Chat & { readonly visibility: string }) =>
  query('insert into "Chat" (id, "userId", title, visibility) values ($1, $2, $3, $4)', [chat.id, chat.userId, chat.title, chat.visibility])

export const setTitle = (id: string, title: string) => query('update "Chat" set title = $2 where id = $1', [id, title])

export const moveChats = (from: string, to: string) => query('update "Chat" set "userId" = $2 where "userId" = $1', [from, to])

const deleteChats = async (column: 'id' | 'userId', value: string): Promise<void> => {
  const chats = `(select id from "Chat" where "${column}" = $1)`
  for (const table of ['Vote_v2', 'Message_v2', 'Stream']) await query(`delete from "${table}" where "chatId" in ${chats}`, [value])
  await query(`delete from "Chat" where "${column}" = $1`, [value])
}

export const deleteChat = (id: string): Promise<void> => deleteChats('id', id)

export const deleteUser = async (id: string): Promise<void> => {
  await deleteChats('userId', id)
  for (const table of ['Suggestion', 'Document']) await query(`delete from "${table}" where "userId" = $1`, [id])
  await query('delete from "User" where id = $1', [id])
}

type Row = Pick<ChatMessage, 'id' | 'role' | 'parts'>

export const getMessages = (chat: string): Promise<Row[]> =>
  query<Row>('select id, role, parts from "Message_v2" where "chatId" = $1 order by "createdAt"', [chat])

/** A message that is known, as one whose tool was approved, gets its new parts. */
export const saveMessages = async (chat: string, messages: readonly Row[]): Promise<void> => {
  const text = `insert into "Message_v2" (id, "chatId", role, parts) values ($1, $2, $3, $4) on conflict (id) do update set parts = $4`
  for (const { id, role, parts } of messages) await query(text, [id, chat, role, JSON.stringify(parts)])
}

/** The message and all that follow it. */
export const deleteTrailing = async (chat: string, message: string): Promise<void> => {
  const later = '(select id from "Message_v2" where "chatId" = $1 and "createdAt" >= (select "createdAt" from "Message_v2" where id = $2))'
  await query(`delete from "Vote_v2" where "messageId" in ${later}`, [chat, message])
  await query(`delete from "Message_v2" where id in ${later}`, [chat, message])
}

export const messagesOfToday = async (user: string): Promise<number> => {
  const text = `select count(*)::int as count from "Message_v2" m join "Chat" c on c.id = m."chatId"
    where c."userId" = $1 and m.role = 'user' and m."createdAt" > now() - interval '1 day'`
  return (await query<{ count: number }>(text, [user]))[0]?.count ?? 0
}

export const vote = (chat: string, message: string, isUpvoted: boolean) =>
  query('insert into "Vote_v2" values ($1, $2, $3) on conflict ("chatId", "messageId") do update set "isUpvoted" = $3', [
    chat,
    message,
    isUpvoted,
  ])

export interface Document {
  readonly id: string
  readonly createdAt: string
  readonly title: string
  readonly content: string
  readonly kind: DocumentKind
}

export const saveDocument = (user: string, { id, title, content, kind }: Omit<Document, 'createdAt'>) =>
  query('insert into "Document" (id, title, content, kind, "userId") values ($1, $2, $3, $4, $5)', [id, title, content, kind, user])

/** Its newest version, if it is this user's. */
export const getDocument = async (user: string, id: string): Promise<Document | undefined> => {
  const text = `select id, "createdAt"::text, title, content, kind from "Document" where id = $1 and "userId" = $2 order by "createdAt" desc limit 1`
  return (await query<Document>(text, [id, user]))[0]
}

export const saveSuggestion = (user: string, { id, createdAt }: Document, originalText: string, suggestedText: string) =>
  query(
    'insert into "Suggestion" ("documentId", "documentCreatedAt", "originalText", "suggestedText", "userId") values ($1, $2, $3, $4, $5)',
    [...[id, createdAt, originalText, suggestedText, user]],
  )

export const createStreamId = async (chat: string): Promise<string> =>
  (await query<{ id: string }>('insert into "Stream" ("chatId") values ($1) returning id', [chat]))[0]?.id ?? ''

export const newestStream = async (chat: string): Promise<string | undefined> =>
  (await query<{ id: string }>('select id from "Stream" where "chatId" = $1 order by "createdAt" desc limit 1', [chat]))[0]?.id
