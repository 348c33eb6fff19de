/** What is remembered of one person, what waits for their decision, and the way to be forgotten. React escapes every text: none of it becomes markup. */

import type { PendingProposal } from '@hermes/core'
import type { EntryOrigin } from '@hermes/core/memory'
import { homes } from '../lib/homes.ts'
import { PEOPLE, type Person } from '../lib/signed-in.ts'
import { decide, forgetMe } from './actions.ts'

const ORIGINS: Readonly<Record<EntryOrigin, string>> = {
  user: 'from you',
  host: 'from this app',
  assistant: 'from the assistant',
  tool: 'from outside',
  external: 'written by hand',
}

const STORES = [
  { target: 'user', title: 'About you' },
  { target: 'memory', title: 'Notes' },
] as const

/** One line for each operation; a skill is only named. */
const describe = ({ ops }: PendingProposal): readonly string[] =>
  ops.map((op) => ('name' in op ? `${op.action} the skill ${op.name}` : op.action === 'remove' ? `Forget: ${op.oldText}` : op.content))

const Held = ({ proposal }: { readonly proposal: PendingProposal }) => (
  <li>
    {describe(proposal).map((line) => (
      <p key={line}>{line}</p>
    ))}
    <small>{proposal.reason}</small>
    <form action={decide} className="decision">
      <input type="hidden" name="id" value={proposal.id} />
      <button type="submit" name="decision" value="approve">
        Approve
      </button>
      <button type="submit" name="decision" value="reject">
        Reject
      </button>
    </form>
  </li>
)

export const MemoryPanel = async ({ user }: { readonly user: Person }) => {
  const home = homes.for(user)
  const lists = await Promise.all(STORES.map(async ({ target, title }) => ({ target, title, listed: await home.memory.list(target) })))
  const held = await home.pending.list()
  const problems = [...lists.map(({ listed }) => listed), held].flatMap((each) => (each.ok ? [] : [each.error]))
  const stores = lists.map(({ listed, ...store }) => ({ ...store, entries: listed.ok ? listed.value : [] }))
  return (
    <aside aria-label={`What is remembered of ${PEOPLE[user]}`}>
      <div aria-live="polite">
        {problems.map(({ message }) => (
          <p key={message} role="alert">
            {message}
          </p>
        ))}
        {stores.map(({ target, title, entries }) => (
          <section key={target} aria-labelledby={`store-${target}`}>
            <h2 id={`store-${target}`}>{title}</h2>
            {entries.length === 0 && <p className="empty">Nothing yet.</p>}
            <ul hidden={entries.length === 0}>
              {entries.map(({ content, by }) => (
                <li key={content}>
                  <p>{content}</p>
                  <small>{ORIGINS[by]}</small>
                </li>
              ))}
            </ul>
          </section>
        ))}
        {held.ok && held.value.length > 0 && (
          <section aria-labelledby="held" className="held">
            <h2 id="held">Waits for you</h2>
            <ul>
              {held.value.map((proposal) => (
                <Held key={proposal.id} proposal={proposal} />
              ))}
            </ul>
          </section>
        )}
      </div>
      <details>
        <summary>Forget me</summary>
        <p>Erases everything that is remembered of {PEOPLE[user]}. This cannot be undone.</p>
        <form action={forgetMe}>
          <button type="submit" className="danger">
            Erase everything
          </button>
        </form>
      </details>
    </aside>
  )
}
