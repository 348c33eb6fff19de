'use client'
import { useChat } from '@ai-sdk/react'
import { DefaultChatTransport } from 'ai'
import { useState } from 'react'
import type { ChatMessage } from '@/lib/types.ts'

/** Sends the newest message alone; all of them only after somebody has answered a request for approval. */
const transport = new DefaultChatTransport<ChatMessage>({
  prepareSendMessagesRequest: ({ id, messages }) => {
    const message = messages.at(-1)
    const said = message?.role === 'user' ? { message } : { messages }
    return { body: { id, ...said, selectedChatModel: 'chat-model', selectedVisibilityType: 'private' } }
  },
})

export default function Page() {
  const { messages, sendMessage } = useChat<ChatMessage>({ transport, generateId: () => crypto.randomUUID() })
  const [text, setText] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void sendMessage({ text })
        setText('')
      }}
    >
      {messages.map(({ id, parts }) => (
        <p key={id}>{parts.map((part) => (part.type === 'text' ? part.text : part.type === 'tool-memory' ? 'Remembering' : ''))}</p>
      ))}
      <input value={text} onChange={(event) => setText(event.target.value)} />
    </form>
  )
}
