"""Libraries: folders of takes that are indexed once and searched by example."""
