import { PEOPLE, signedIn } from '../lib/signed-in.ts'
import { newChat, signInAs } from './actions.ts'
import { Chat } from './chat.tsx'
import { MemoryPanel } from './memory-panel.tsx'

export default async function Page() {
  const person = await signedIn()
  return (
    <>
      <header>
        <h1>Next chat</h1>
        <form action={signInAs}>
          <fieldset>
            <legend>Signed in as</legend>
            {Object.entries(PEOPLE).map(([user, name]) => (
              <button key={user} type="submit" name="user" value={user} aria-pressed={user === person?.user}>
                {name}
              </button>
            ))}
          </fieldset>
        </form>
        {person && (
          <form action={newChat}>
            <button type="submit">New chat</button>
          </form>
        )}
      </header>
      {person ? (
        <main>
          <Chat key={person.chatId} chatId={person.chatId} name={PEOPLE[person.user]} />
          <MemoryPanel user={person.user} />
        </main>
      ) : (
        <main>
          <p>Choose who you are. Each person has a memory of their own.</p>
        </main>
      )}
    </>
  )
}
