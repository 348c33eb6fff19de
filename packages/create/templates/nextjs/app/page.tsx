'use client'

import { useChat } from '@ai-sdk/react'
import { useState } from 'react'

export default function Page() {
  const { messages, sendMessage, error } = useChat()
  const [text, setText] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void sendMessage({ text })
        setText('')
      }}
    >
      <p>Say “Remember that we deploy with Kamal.”, reload the page, and ask “What do we deploy with?”</p>
      {messages.map(({ id, role, parts }) => (
        <p key={id}>
          {role}: {parts.map((part) => (part.type === 'text' ? part.text : ''))}
        </p>
      ))}
      {error && <p role="alert">{error.message}</p>}
      <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
      <button type="submit">Send</button>
    </form>
  )
}
