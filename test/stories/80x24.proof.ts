import { testStories } from './play-stories.ts';

// What is always there: the smallest terminal that people use.
testStories({ columns: 80, rows: 24 });
