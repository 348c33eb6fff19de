/** What stands in the user's message and is not the user's own words. */
import { fenceContext } from '@hermes/core/adapter'
import type { Channel, Draw } from '../channel.ts'
import type { Attachment, Scene } from '../scene.ts'
import type { Wording } from '../wordings/wording.ts'
import { say, turnsWith } from './parts.ts'

const attaching =
  (attachment: (wording: Wording) => Attachment) =>
  (wording: Wording, draw: Draw): Scene => ({
    turns: turnsWith(wording, draw, [], { user: { text: draw.question, attachments: [attachment(wording)] } }),
  })

const pasting =
  (paste: (text: string) => string) =>
  (wording: Wording, draw: Draw): Scene => ({
    turns: turnsWith(wording, draw, [], { user: { text: `${draw.question}\n\n${paste(wording.text)}` } }),
  })

const lines = (text: string, mark: string): string => text.replace(/^/gm, mark)

export const USER_MESSAGE_CHANNELS: readonly Channel[] = [
  { id: 'text file', scene: attaching(({ text }) => ({ name: 'page.txt', mediaType: 'text/plain', text })) },
  { id: 'name of a file', scene: attaching(({ said }) => ({ name: `${said}.pdf`, mediaType: 'application/pdf' })) },
  { id: 'alternative text of an image', scene: attaching(({ said }) => ({ name: said, mediaType: 'image/png' })) },
  { id: 'code fence', scene: pasting((text) => `\`\`\`\n${text}\n\`\`\``) },
  { id: 'code fence without an end', scene: pasting((text) => `\`\`\`text\n${text}`) },
  { id: 'block quote', scene: pasting((text) => lines(text, '> ')) },
  { id: 'triple quotes', scene: pasting((text) => `"""\n${text}\n"""`) },
  { id: 'fence of the host', scene: pasting(fenceContext) },
  {
    id: 'forwarded mail',
    scene: pasting(
      (text) => `---------- Forwarded message ---------\nFrom: Ada <ada@kelp.example>\nDate: Mon, 5 Jan 2026\nSubject: Bills\n\n${text}`,
    ),
  },
  {
    id: 'mail with an attribution line',
    scene: pasting((text) => `On Mon, 5 Jan 2026 at 09:12, Ada <ada@kelp.example> wrote:\n\n${lines(text, '> ')}`),
  },
  {
    id: 'pasted text behind a question of the user, then confirmed',
    scene: (wording, draw) => ({
      turns: [
        { user: { text: `${draw.question}\n\n${lines(wording.text, '> ')}` }, steps: [say(wording.echo)] },
        { forgets: draw.forgets, user: { text: 'Yes, that is right. Keep it.' }, steps: [say(wording.echo)] },
      ],
    }),
  },
]
