export type JobPosting = {
  title: string
  department: string
  location: string
  type: string
  description: string
}

/** The open positions of /careers. */
export const jobPostings: readonly JobPosting[] = [
  {
    title: 'Senior Pharmacy Operations Manager',
    department: 'Operations',
    location: 'Remote',
    type: 'Full-time',
    description:
      'Lead day-to-day operations with our partner pharmacies: license verification, prescription review times, late shipments and shortages.',
  },
  {
    title: 'Customer Support Specialist',
    department: 'Support',
    location: 'Remote',
    type: 'Full-time',
    description:
      'Help customers who are waiting for a medication, in plain language and with the facts of their order at hand, and tell us what we should improve.',
  },
  {
    title: 'Full Stack Developer',
    department: 'Engineering',
    location: 'Remote',
    type: 'Full-time',
    description:
      'Build search, checkout and the back office in TypeScript, from the SQL query to the keyboard shortcut. Speed, accessibility and protecting health data are part of the job.',
  },
  {
    title: 'Compliance Officer',
    department: 'Legal',
    location: 'Remote',
    type: 'Full-time',
    description:
      'Keep the marketplace in line with pharmacy, import and privacy law where we deliver: policies, audits, partner agreements and staff training.',
  },
]
