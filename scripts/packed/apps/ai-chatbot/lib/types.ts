import type { InferUITools, UIMessage } from 'ai'
import type { ChatTools } from '@/lib/ai/tools.ts'

export type DocumentKind = 'text' | 'code' | 'sheet'

export type DataTypes = {
  'chat-title': string
  id: string
  kind: DocumentKind
  title: string
  clear: null
  textDelta: string
  suggestion: { readonly originalText: string; readonly suggestedText: string }
  finish: null
}

export type ChatMessage = UIMessage<unknown, DataTypes, InferUITools<ChatTools>>
