/** A crawler whose claim its address confirms. */
export interface VerifiedCrawler {
  /** Such as `GoogleBot`. */
  name: string
  by: 'published_range' | 'reverse_dns'
}
