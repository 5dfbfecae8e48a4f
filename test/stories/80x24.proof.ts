import { tellStories } from './tell.ts';

// What is always there: the smallest terminal that people use.
tellStories({ columns: 80, rows: 24 });
