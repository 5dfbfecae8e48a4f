import { tellStories } from './tell.ts';

// A window of today.
tellStories({ columns: 120, rows: 40 });
