"""What a library of takes must show: quality of hits, exactness, speed, growth, and that nothing is lost."""
