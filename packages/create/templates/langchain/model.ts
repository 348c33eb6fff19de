/** OpenAI if OPENAI_API_KEY is set (any chat model of LangChain works in its place). Otherwise a scripted model, so that the app runs without a key. */
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'

/** Calls the memory tool when told to remember something, and answers everything else with what its prompt says about the user. */
class ScriptedModel extends BaseChatModel {
  _llmType(): string {
    return 'scripted'
  }

  override bindTools() {
    return this
  }

  async _generate(messages: BaseMessage[]) {
    const last = messages.at(-1)
    const [, fact] = (last?.type === 'human' && /remember that (.+)/i.exec(last.text)) || []
    const system = messages.map(({ type, text }) => (type === 'system' ? text : '')).join('')
    const [, known] = /USER PROFILE.*\n═+\n([\s\S]+?)(?:\n\n|$)/.exec(system) ?? []

    const args = { action: 'add', target: 'user', content: `The user says: ${fact}` }
    const isReview = last?.text.includes('<conversation>')
    const said = last?.type === 'tool' ? 'I will remember that.' : `From my memory: ${known ?? 'nothing yet'}`
    const message = isReview
      ? new AIMessage('{"proposals":[]}')
      : fact
        ? new AIMessage({ content: '', tool_calls: [{ id: 'call', name: 'memory', args, type: 'tool_call' }] })
        : new AIMessage(said)
    return { generations: [{ text: message.text, message }] }
  }
}

export const chosenModel = process.env['OPENAI_API_KEY'] ? new ChatOpenAI({ model: 'gpt-5-mini' }) : new ScriptedModel({})
