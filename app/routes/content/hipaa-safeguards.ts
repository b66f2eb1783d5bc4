/** The safeguards listed on HIPAA Compliance. The rights and duties follow 45 CFR Part 164. */
export const safeguards: readonly { id: string; title: string; text: string; points: readonly string[] }[] = [
  {
    id: 'protected-health-information',
    title: 'Protected Health Information',
    text: 'Protected health information (PHI) identifies you and relates to your health or care. On Meridian, PHI includes:',
    points: [
      'your prescriptions and their contents',
      'medications, allergies, weight and date of birth in your profile',
      'your medication orders',
      'your ID document',
    ],
  },
  {
    id: 'security',
    title: 'Security Measures',
    text: 'Health data is encrypted in transit and at rest.',
    points: [
      'encrypted connections for every page and upload',
      'health fields and documents encrypted at rest with AES-256',
      'uploaded files checked by content before they are accepted',
      'search terms and health details left out of server logs',
    ],
  },
  {
    id: 'access-controls',
    title: 'Access Controls',
    text: 'Only you, and staff who need it to fill your order, can see your PHI.',
    points: [
      'you can see only your own records',
      'staff access is limited by role to what a task needs',
      'every access to PHI is recorded: who, whose, what and when',
      'sessions end after a period of inactivity',
    ],
  },
  {
    id: 'business-associates',
    title: 'Business Associates',
    text: 'Partner pharmacies receive PHI to dispense your medications. Vendors that handle PHI on our behalf are business associates:',
    points: [
      'they must sign a written agreement before they receive any PHI',
      'they may use it only for the purpose in the agreement',
      'they must protect it and report any breach to us',
    ],
  },
]

export const healthRights: readonly { right: string; words: string; source: string }[] = [
  { right: 'Access', words: 'See your PHI and receive a copy of it.', source: '164.524' },
  { right: 'Amendment', words: 'Ask us to correct what is wrong or incomplete.', source: '164.526' },
  { right: 'Accounting', words: 'Receive a list of certain disclosures of your PHI.', source: '164.528' },
  { right: 'Restriction', words: 'Ask us to limit how your PHI is used or shared.', source: '164.522(a)' },
  {
    right: 'Confidential communication',
    words: 'Ask us to contact you in a different way or at a different place.',
    source: '164.522(b)',
  },
  {
    right: 'Complaint',
    words:
      'File a complaint with us or the U.S. Department of Health and Human Services, without retaliation.',
    source: '164.530(d), (g)',
  },
]

export const noticeOfPrivacyPractices: readonly string[] = [
  'This notice describes how your health information may be used and disclosed, and how you can get access to it. Your PHI may be used and shared without your further permission for treatment (a pharmacy dispenses your prescription), for payment (your order is charged or refunded), and for health care operations (we keep the records that the law requires and check the quality of our work). It may be disclosed where the law requires it.',
  'Any other use requires your written authorization, which you may withdraw at any time. We never sell your PHI or use it for marketing without it. If a breach of unsecured PHI affects you, we will notify you.',
  'To exercise any of these rights, or to receive a paper copy of this notice, contact the privacy officer.',
]
