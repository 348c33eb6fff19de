/** What a person does with their own memory. Every action asks the sign-in whose that is; a form only says what. */
'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { homes } from '../lib/homes.ts'
import { isPerson, type SignedIn, signedIn, signIn } from '../lib/signed-in.ts'

const signedInOrHome = async (): Promise<SignedIn> => (await signedIn()) ?? redirect('/')

/** Stands in for your sign-in page. */
export const signInAs = async (form: FormData): Promise<void> => {
  const user = form.get('user')
  if (isPerson(user)) await signIn(user)
  redirect('/')
}

export const newChat = async (): Promise<void> => {
  const { user, chatId } = await signedInOrHome()
  // What no review has read is learned from behind the response, since the homes have `after` as their background.
  void homes.for(user).session(chatId).end()
  await signIn(user)
  redirect('/')
}

/** `decision`: approve or reject; `id`: of what is held. Somebody else's id is not found in this home. */
export const decide = async (form: FormData): Promise<void> => {
  const { pending } = homes.for((await signedInOrHome()).user)
  const id = String(form.get('id'))
  const decided = form.get('decision') === 'approve' ? await pending.approve(id) : await pending.reject(id)
  if (!decided.ok && decided.error.code !== 'not_found') throw decided.error
  revalidatePath('/')
}

export const forgetMe = async (): Promise<void> => {
  const { user } = await signedInOrHome()
  const erased = await homes.erase(user)
  if (!erased.ok) throw erased.error
  await signIn(user)
  redirect('/')
}
