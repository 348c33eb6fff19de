/** Calls with the same key run one after another, in the order in which they came; others run at once. */

export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>

export const createInTurn = (): InTurn => {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const before = last.get(key)
    const mine = before === undefined ? work() : before.then(work, work)
    last.set(key, mine)
    const leave = () => {
      if (last.get(key) === mine) last.delete(key)
    }
    mine.then(leave, leave)
    return mine
  }
}
