'use client'

import { useChat } from '@ai-sdk/react'
import { getToolName, isToolUIPart, type UIMessage } from 'ai'
import { useRouter } from 'next/navigation'
import { type FormEvent, useEffect, useState, useTransition } from 'react'

const SUGGESTIONS = ['Remember that I live in Oslo.', 'What do you know about me?', 'Read the travel page.']

const Part = ({ part }: { readonly part: UIMessage['parts'][number] }) => {
  if (part.type === 'text') return <p>{part.text}</p>
  return isToolUIPart(part) ? <p className="tool">used {getToolName(part)}</p> : null
}

export const Chat = ({ chatId, name }: { readonly chatId: string; readonly name: string }) => {
  const router = useRouter()
  const [text, setText] = useState('')
  // What is typed before the page is alive would be lost.
  const [alive, setAlive] = useState(false)
  useEffect(() => setAlive(true), [])
  const [learning, startLearning] = useTransition()
  // The server draws the panel anew when what runs behind the turn is done.
  const refresh = () =>
    startLearning(async () => {
      await fetch('/api/settled').catch(() => undefined)
      startLearning(router.refresh)
    })
  const { messages, sendMessage, status, error } = useChat({
    id: chatId,
    onFinish: ({ isError }) => {
      // A page of another sign-in stays as it is, with the reason on it.
      if (!isError) refresh()
    },
  })
  const busy = status === 'submitted' || status === 'streaming'

  const send = (asked: string) => {
    if (asked.trim() === '' || busy) return
    setText('')
    void sendMessage({ text: asked })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send(text)
  }

  return (
    <section aria-label="Chat" className="chat">
      <ol className="messages" aria-live="polite" aria-busy={busy || learning}>
        {messages.map(({ id, role, parts }) => (
          <li key={id} className={`message ${role}`}>
            <span className="visually-hidden">{role === 'user' ? `${name}: ` : 'Assistant: '}</span>
            {parts.map((part, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id, and are only added at the end
              <Part key={`${id}-${index}`} part={part} />
            ))}
          </li>
        ))}
      </ol>
      {messages.length === 0 && <p className="empty">Hello {name}. Tell me something about you.</p>}
      {error && <p role="alert">{error.message}</p>}
      <ul className="suggestions" aria-label="Suggestions">
        {SUGGESTIONS.map((each) => (
          <li key={each}>
            <button type="button" onClick={() => send(each)}>
              {each}
            </button>
          </li>
        ))}
      </ul>
      <form className="composer" onSubmit={submit}>
        <label htmlFor="message" className="visually-hidden">
          Message
        </label>
        <input
          id="message"
          value={text}
          onChange={(event) => setText(event.target.value)}
          placeholder="Write a message"
          autoComplete="off"
          disabled={!alive}
        />
        <button type="submit" disabled={busy}>
          Send
        </button>
      </form>
    </section>
  )
}
