import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages'
import { expect, it } from 'vitest'
import { ScriptedModel } from './langchain.ts'

const RULE = '═'.repeat(46)
const MEMORY = `${RULE}\nUSER PROFILE (who the user is) [1% — 18/1,375 chars]\n${RULE}\nUser lives in Oslo`
const model = new ScriptedModel({})
const memoryTool = { name: 'memory' }

it('reads the memory, what was said and the newest input out of the one text of a conversation chain', async () => {
  const prompt = (lines: string): string => `A friendly conversation.\n\nCurrent conversation:\n${MEMORY}\n${lines}\nAI:`
  const ask = async (lines: string): Promise<string> => (await model.invoke(prompt(lines))).text
  expect(await ask('Human: where do I live?')).toBe('I remember: User lives in Oslo.')
  expect(await ask('Human: the cake is in the fridge\nAI: Good.\nHuman: where is the cake?')).toBe(
    'You said earlier in this chat: "the cake is in the fridge"',
  )
})

it('calls the memory tool, and says what came of it', async () => {
  const asked = [new SystemMessage(MEMORY), new HumanMessage('remember that I play the cello')]
  const bound = model.bindTools([memoryTool])
  const call = await bound.invoke(asked)
  expect(call.tool_calls).toMatchObject([{ name: 'memory', args: { action: 'add', target: 'user', content: 'User plays the cello' } }])
  const id = call.tool_calls?.[0]?.id ?? ''
  const answer = (content: string) => [...asked, call, new ToolMessage({ tool_call_id: id, content })]
  expect((await bound.invoke(answer('{"success":true}'))).text).toBe('Done. I will remember that.')
  expect((await bound.invoke(answer('{"success":false,"error":"The store is full."}'))).text).toBe(
    'I could not do that: The store is full.',
  )
  expect((await model.invoke(asked)).text).toBe('I cannot write that down: I was given no memory tool.')
})

it('plays the reviewer if the prompt holds a conversation to review', async () => {
  const request = '<remembered>\n(empty)\n</remembered>\n<conversation>\n[m1 | user | origin: user] I prefer tabs\n</conversation>'
  const { text } = await model.invoke([new SystemMessage('You review.'), new HumanMessage(request), new AIMessage('')])
  expect(JSON.parse(text)).toMatchObject({ proposals: [{ op: { content: 'User prefers tabs' }, evidence: [{ messageId: 'm1' }] }] })
})
