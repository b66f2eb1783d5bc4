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
      'Lead the daily work with our partner pharmacies: licence verification, prescription review times, and what happens when a shipment is late or a medication runs short.',
  },
  {
    title: 'Customer Support Specialist',
    department: 'Support',
    location: 'Remote',
    type: 'Full-time',
    description:
      'Answer people who wait for a medication, in plain words and with the facts of their order at hand, and tell the rest of us what should work better.',
  },
  {
    title: 'Full Stack Developer',
    department: 'Engineering',
    location: 'Remote',
    type: 'Full-time',
    description:
      'Build search, checkout and back office in TypeScript, from the SQL query to the keyboard shortcut. Speed, accessibility and the care of health data are part of the job.',
  },
  {
    title: 'Compliance Officer',
    department: 'Legal',
    location: 'Remote',
    type: 'Full-time',
    description:
      'Keep the marketplace in line with pharmacy, import and privacy law where we deliver: policies, audits, partner agreements and the training of colleagues.',
  },
]
