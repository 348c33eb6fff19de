/** The skill that the scripted reviewer makes of four bills and one correction, to the letter. */
export const SPLIT_BILLS_SKILL = `---
name: split-bills
description: Split a bill into shares the way the user wants it
---

# Split bills

When the user asks to split an amount among people, with or without a tip.

## Rules

- Always round each share up to the next 10 cents and show the total

## Steps

1. With a tip, add it first: amount * (1 + tip / 100)
2. Each share: ceil(bill / people, 0.1)
3. The total: share * people
`
