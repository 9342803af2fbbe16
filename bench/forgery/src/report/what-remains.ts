/** Section of the report. */
export const WHAT_REMAINS = `A score judges what a browser shows. Whoever has a real browser make the visit shows a real browser:

- **A relay.** A person's browser, or one on a rented machine whose mouse and keyboard a program moves from outside,
  opens the page, and a script uses its request ID. Nothing of the visit is forged, so no reading can tell. A script that
  lets the browser make everything and only carries the body needs the browser's handshake too, and tools imitate it.
- **A browser at hand.** A program that does everything by itself may have a browser measure
  [what the ticket asks for](../decisions/0023-curves-of-a-ticket.md), for each ticket or once for all that are asked at a
  time. It is then a visitor behind a company's gateway, as far as the server can see. Who ports the engine's arithmetic
  needs no browser.
- **A copied profile.** The key in the browser cannot be exported by a script. Whoever copies the whole profile folder
  from the machine copies the key's file with it.

What helps is outside of the browser:

- Ask for an identification of its own for each action, and use its request ID once and soon: a relay then needs a
  browser for each action, which is its cost. The [SDK](../acting-on-the-score.md) refuses used and old ones.
- Bind the request ID to the account or the cart for which the page asked.
- Look at numbers: [patterns](../patterns.md) find one device, network or key behind many accounts.`
