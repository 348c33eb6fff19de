import { generateText, isStepCount, streamText, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { scriptedModel } from './ai-sdk.ts'

const RULE = '═'.repeat(46)
const instructions = `Be kind.\n\n${RULE}\nUSER PROFILE (who the user is) [1% — 30/1,375 chars]\n${RULE}\nUser's name is Ada\n§\nUser lives in Oslo`
const model = scriptedModel()

const ask = async (prompt: string, system = instructions): Promise<string> =>
  (await generateText({ model, instructions: system, prompt })).text

describe('the scripted model', () => {
  it('answers from the memory block of the system prompt', async () => {
    expect(await ask('what is my name?')).toBe("I remember: User's name is Ada.")
    expect(await ask('Where do I live?')).toBe('I remember: User lives in Oslo.')
    expect(await ask('what do you know about me?')).toBe("This is what I know about you:\n- User's name is Ada\n- User lives in Oslo")
    expect(await ask('what is my shoe size?')).toContain('I do not know that yet')
    expect(await ask('what do you know about me?', 'Be kind.')).toBe('Nothing yet. Tell me something about you.')
    expect(await ask('what can you do?')).toContain('scripted stand-in')
    expect(await ask('hello')).toBe('Hello Ada! Good to see you again.')
  })

  it('answers from earlier messages of the chat if the memory holds nothing', async () => {
    const { text } = await generateText({
      model,
      messages: [
        { role: 'user', content: 'the cake is in the fridge' },
        { role: 'assistant', content: 'Good.' },
        { role: 'user', content: 'where is the cake?' },
      ],
    })
    expect(text).toBe('You said earlier in this chat: "the cake is in the fridge"')
  })

  it('streams word by word what it generates at once', async () => {
    const deltas: string[] = []
    for await (const delta of streamText({ model, instructions, prompt: 'what is my name?' }).textStream) deltas.push(delta)
    expect(deltas).toEqual(['I', ' remember:', " User's", ' name', ' is', ' Ada.'])
  })

  it('breaks off a stream when it is aborted', async () => {
    const controller = new AbortController()
    const seen: string[] = []
    for await (const part of streamText({ model, prompt: 'go on', abortSignal: controller.signal, onError: () => {} }).stream) {
      seen.push(part.type)
      if (part.type === 'text-delta') controller.abort()
    }
    // The whole answer has 21 words; the SDK reads a few ahead.
    expect(seen.filter((type) => type === 'text-delta').length).toBeLessThan(10)
    expect(seen.at(-1)).toBe('abort')
  })

  it('calls the memory tool when told to, then says how it went, and knows what it wrote in this chat', async () => {
    const calls: unknown[] = []
    const memory = tool({
      inputSchema: z.object({ action: z.string(), target: z.string(), content: z.string().optional(), old_text: z.string().optional() }),
      execute: (input) => {
        calls.push(input)
        return { success: calls.length < 3, error: 'the store is full' }
      },
    })
    const options = { model, instructions, tools: { memory }, stopWhen: isStepCount(4) }
    const first = await generateText({ ...options, prompt: 'remember that I play the cello' })
    expect(first.text).toBe('Done. I will remember that.')
    const second = await generateText({
      ...options,
      messages: [
        { role: 'user', content: 'remember that I play the cello' },
        ...first.responseMessages,
        { role: 'user', content: 'forget the cello' },
      ],
    })
    expect(second.text).toBe('Done. I forgot it.')
    const third = await generateText({ ...options, prompt: 'remember that the door code changed' })
    expect(third.text).toBe('I could not do that: the store is full')
    expect(calls).toEqual([
      { action: 'add', target: 'user', content: 'User plays the cello' },
      { action: 'remove', target: 'user', old_text: 'User plays the cello' },
      { action: 'add', target: 'memory', content: 'The door code changed' },
    ])
  })

  it('says that it cannot write if it was given no memory tool', async () => {
    expect(await ask('remember that I play the cello')).toBe('I cannot write that down: I was given no memory tool.')
  })
})
