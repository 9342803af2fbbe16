/** A database that a test started, as the customer's own client sees it. */
export interface Opened<Client> {
  client: Client
  close(): Promise<void>
}
